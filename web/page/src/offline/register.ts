/** Makes the page work without a network from the next time on. Not for `supple view`, whose address is another one each time. */
export function keepOffline(isServedByCommand: boolean): void {
  if (!import.meta.env.PROD || isServedByCommand || !('serviceWorker' in navigator)) return;
  // Where storage is switched off the page works as before, with a network.
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
}
