// Shows what the forum pushes, and leads to it. It keeps no page and stands between nobody and the network.

self.addEventListener('push', (event) => {
  const { title, link, language } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, { lang: language, icon: '/touch-icon.png', tag: link, renotify: true, data: { link } }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin).href))
})

async function open(address) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find(({ url }) => url === address)
  return there ? there.focus() : self.clients.openWindow(address)
}
