// Keeps the page, so that it works without a network once it was opened. A new version of the page has another name of its store.
const STORE = 'supple-VERSION';
const files = "FILES";

self.addEventListener('install', event => {
  event.waitUntil(caches.open(STORE).then(store => store.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', event => {
  const forget = async () => {
    const old = (await caches.keys()).filter(name => name.startsWith('supple-') && name !== STORE);
    await Promise.all(old.map(name => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return;
  const kept = caches.open(STORE).then(store => store.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then(answer => answer ?? fetch(event.request)));
});
