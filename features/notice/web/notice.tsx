import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { Icon } from '#base/web/icon.tsx'
import { NavLink } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { countedUnread } from '#notice/contract.ts'
import { learn, unread } from '#notice/web/unread.ts'
import css from '#notice/web/notice.module.css'

/** The way to one's notices, with how many are unread: asked on arriving, at every other page, and when one comes back to the tab. */
export function Bell() {
  const words = useWords('notice')
  const api = useApi()
  const { pathname } = useLocation()
  const count = unread.use()
  const shown = count < countedUnread ? String(count) : `${countedUnread - 1}+`

  useEffect(() => {
    void learn(api)
  }, [api, pathname])

  useEffect(() => {
    const back = () => void (document.visibilityState === 'visible' && learn(api))
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [api])

  return (
    <NavLink to="/user/control/systemNotifyList" className={`icon ${css.bell}`} aria-label={words('bell', { count, shown })}>
      <Icon name="bell" />
      {count > 0 && (
        <span className={css.count} aria-hidden="true">
          {shown}
        </span>
      )}
    </NavLink>
  )
}
