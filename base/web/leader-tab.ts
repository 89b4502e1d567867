import type { Endpoint, Output } from '#base/contract.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { listen, visible, type ListenOptions } from '#base/web/listen.ts'

/**
 * Subscribes while the page is visible. Of all tabs with the same subscription, one leader listens and broadcasts to the others, because a
 * browser has few connections to one site. Without locks between tabs, each listens.
 */
export async function listenThroughLeader<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  name: string,
  wish: ListenOptions<E>,
): Promise<void> {
  const { signal, tell } = wish
  if (!('locks' in navigator)) return listen<E>(api, path, wish)

  const others = new BroadcastChannel(name)
  others.addEventListener('message', ({ data }: MessageEvent<Output<E>>) => tell(data))
  signal.addEventListener('abort', () => others.close())
  const tellOthers = others.postMessage.bind(others)
  const tellAll = (news: Output<E>) => {
    tell(news)
    tellOthers(news)
  }
  while (!signal.aborted) {
    await visible(signal)
    const { until, stop } = whileLookedAt(signal)
    try {
      await navigator.locks.request(name, { signal: until }, () => listen<E>(api, path, { ...wish, tell: tellAll, signal: until }))
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
function whileLookedAt(signal: AbortSignal): { until: AbortSignal; stop: () => void } {
  const hidden = new AbortController()
  const look = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', look)
  look()
  return { until: AbortSignal.any([signal, hidden.signal]), stop: () => document.removeEventListener('visibilitychange', look) }
}
