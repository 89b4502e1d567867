import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { Menu, MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { hearInbox } from '#notice/web/hear.ts'
import { learn, shortOf, unread } from '#notice/web/unread.ts'
import css from '#notice/web/notice.module.css'

export { learn, unread } from '#notice/web/unread.ts'

/** The ways to one's reminders and notices, with how many are unread: told as it changes, and asked for on arriving where nobody tells. */
export function Bell() {
  const words = useWords('notice')
  const api = useApi()
  const { pathname } = useLocation()
  const { remindCount, systemNotifyCount, privateMessageCount } = unread.use()
  const count = remindCount + systemNotifyCount + privateMessageCount

  useEffect(() => {
    void learn(api)
  }, [api, pathname])
  useEffect(() => listening(api), [api])

  return (
    <span className={css.bell}>
      <Menu icon="bell" label={words('bell', { count, shown: shortOf(count) })}>
        <MenuLink to="/user/control/remindList">
          {words('reminders')} <Count of={remindCount} />
        </MenuLink>
        <MenuLink to="/user/control/systemNotifyList">
          {words('notices')} <Count of={systemNotifyCount} />
        </MenuLink>
        <MenuLink to="/user/control/privateMessageList">
          {words('messages')} <Count of={privateMessageCount} />
        </MenuLink>
      </Menu>
      {count > 0 && (
        <span className={css.count} aria-hidden="true">
          {shortOf(count)}
        </span>
      )}
    </span>
  )
}

/** How many of a sort are unread, where there are any. */
export function Count({ of: count }: { of: number }) {
  const words = useWords('notice')
  if (count === 0) return null
  return (
    <span className={css.few} aria-label={words('unreadCount', { shown: shortOf(count) })}>
      {shortOf(count)}
    </span>
  )
}

function listening(api: BrowserApi): () => void {
  const left = new AbortController()
  hearInbox(api, left.signal).catch((error: unknown) => {
    if (!left.signal.aborted) throw error
  })
  return () => left.abort()
}
