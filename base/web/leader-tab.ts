import type { Endpoint, Output } from '#base/contract.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { listen, visible, type ListenOptions } from '#base/web/listen.ts'

/**
 * Listens for as long as the page is looked at. Of all tabs of a browser that want to hear the same, one listens and tells the others, for a
 * browser has few lines to one site. Where tabs cannot agree, each listens.
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
    // What may not be listened to now may not be in a minute either.
    if (!until.aborted) return
  }
}

/** Until the page is hidden: another tab that is looked at listens then. */
function whileLookedAt(signal: AbortSignal): { until: AbortSignal; stop: () => void } {
  const hidden = new AbortController()
  const look = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', look)
  look()
  return { until: AbortSignal.any([signal, hidden.signal]), stop: () => document.removeEventListener('visibilitychange', look) }
}
