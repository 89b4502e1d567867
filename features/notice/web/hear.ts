import type { BrowserApi } from '#base/web/api.ts'
import { listen, visible } from '#base/web/listen.ts'
import type { inboxNews } from '#notice/reminder-contract.ts'
import { unread } from '#notice/web/unread.ts'

const name = 'inbox'

/**
 * Listens to one's inbox for as long as the page is looked at. Of all tabs of a browser one listens and tells the others, for a browser has few
 * lines to one site. Where tabs cannot agree, each listens.
 */
export async function hearAsOne(api: BrowserApi, signal: AbortSignal): Promise<void> {
  const known = () => Object.values(unread.get()).join('-')
  const hear = (until: AbortSignal, tell = unread.set) =>
    listen<typeof inboxNews>(api, '/user/control/inboxNews', { input: {}, known, tell, signal: until })
  if (!('locks' in navigator)) return hear(signal)

  const others = new BroadcastChannel(name)
  others.addEventListener('message', ({ data }) => unread.set(data))
  const tellOthers = others.postMessage.bind(others)
  signal.addEventListener('abort', () => others.close())
  while (!signal.aborted) {
    await visible(signal)
    const { until, stop } = whileLookedAt(signal)
    try {
      await navigator.locks.request(name, { signal: until }, () =>
        hear(until, (news) => {
          unread.set(news)
          tellOthers(news)
        }),
      )
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
