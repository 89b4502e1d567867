import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { later } from '#base/web/lazy-part.ts'
import { Popover } from '#base/web/popover.tsx'
import { useWords } from '#base/web/words.tsx'
import { subscribeInbox } from '#notification/web/subscribe.ts'
import { loadCounts, shortCount, unread } from '#notification/web/unread.ts'
import css from '#notification/web/notice.module.css'

export { loadCounts, unread } from '#notification/web/unread.ts'

/**
 * The latest notifications and announcements, with their unread counts: pushed as they change, and polled on navigation where there is no
 * stream.
 */
export function Bell() {
  const words = useWords('notification')
  const api = useApi()
  const { pathname } = useLocation()
  const { remindCount, systemNotifyCount } = unread.use()
  const count = remindCount + systemNotifyCount

  useEffect(() => {
    void loadCounts(api)
  }, [api, pathname])
  useEffect(() => listening(api), [api])

  return (
    <Popover
      icon="bell"
      label={words('bell', { count, shown: shortCount(count) })}
      title={words('notifications')}
      to={remindCount === 0 && systemNotifyCount > 0 ? '/user/control/systemNotifyList' : '/user/control/remindList'}
      badge={count > 0 ? shortCount(count) : null}
      load={() => later(import('#notification/web/latest.tsx'))}
    />
  )
}

/** The unread count of a list, where there is any. */
export function Count({ of: count }: { of: number }) {
  const words = useWords('notification')
  if (count === 0) return null
  return (
    <span className={css.few} aria-label={words('unreadCount', { shown: shortCount(count) })}>
      {shortCount(count)}
    </span>
  )
}

function listening(api: BrowserApi): () => void {
  const left = new AbortController()
  subscribeInbox(api, left.signal).catch((error: unknown) => {
    if (!left.signal.aborted) throw error
  })
  return () => left.abort()
}
