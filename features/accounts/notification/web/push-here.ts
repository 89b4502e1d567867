import { pushWorker } from '#base/web/html.tsx'

/** The push state of this browser. Whether it is subscribed for this account, only the server knows. */
export type PushState = 'asking' | 'unsupported' | 'refused' | 'off' | 'on'

export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return 'unsupported'
  if (Notification.permission === 'denied') return 'refused'
  const subscription = await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()
  return subscription && Notification.permission === 'granted' ? 'on' : 'off'
}

type Address = { endpoint: string; p256dh: string; auth: string }

/** Asks the person for permission, and then the browser's push service. Null where the person declines. */
export async function subscribeHere(publicKey: string): Promise<Address | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  await navigator.serviceWorker.register(pushWorker, { scope: '/' })
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription with another key would be in the way.
  await (await pushManager.getSubscription())?.unsubscribe()
  const its = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = its.toJSON()
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' }
}

export async function unsubscribeHere(): Promise<void> {
  await (await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription())?.unsubscribe()
}
