/**
 * Makes the page work without a network from the next time on. Not for `supple view`, whose address is another one each time; the script
 * that puts the page into the command marks it.
 */
export function keepOffline(): void {
  if (!import.meta.env.PROD || document.documentElement.dataset.servedBy || !('serviceWorker' in navigator)) return;
  // Where storage is switched off the page works as before, with a network.
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
}
