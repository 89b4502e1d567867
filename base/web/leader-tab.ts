import type { Endpoint, Output } from '#base/contract.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { listen, untilVisible, type ListenOptions } from '#base/web/listen.ts'

/**
 * Subscribes while the page is visible. Of all tabs with the same subscription, one leader listens and broadcasts to the others, because a
 * browser has few connections to one site. Without locks between tabs, each listens.
 */
export async function listenThroughLeader<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  name: string,
  options: ListenOptions<E>,
): Promise<void> {
  const { signal, onUpdate } = options
  if (!('locks' in navigator)) return listen<E>(api, path, options)

  const others = new BroadcastChannel(name)
  others.addEventListener('message', ({ data }: MessageEvent<Output<E>>) => onUpdate(data))
  signal.addEventListener('abort', () => others.close())
  const broadcast = others.postMessage.bind(others)
  const updateAll = (update: Output<E>) => {
    onUpdate(update)
    broadcast(update)
  }
  while (!signal.aborted) {
    await untilVisible(signal)
    const { until, stop } = untilHidden(signal)
    try {
      await navigator.locks.request(name, { signal: until }, () => listen<E>(api, path, { ...options, onUpdate: updateAll, signal: until }))
    } catch (error) {
      if (!until.aborted) throw error
    } finally {
      stop()
    }
    // A refused subscription would be refused again.
    if (!until.aborted) return
  }
}

/** Until the page is hidden: another visible tab becomes the leader. */
function untilHidden(signal: AbortSignal): { until: AbortSignal; stop: () => void } {
  const hidden = new AbortController()
  const look = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', look)
  look()
  return { until: AbortSignal.any([signal, hidden.signal]), stop: () => document.removeEventListener('visibilitychange', look) }
}
