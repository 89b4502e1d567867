import { useLocation } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { Tabs } from '#base/web/tabs.tsx'
import { useWords } from '#base/web/words.tsx'
import { Count } from '#notification/web/notification.tsx'
import { unread } from '#notification/web/unread.ts'

export function NoticeTabs() {
  const words = useWords('notification')
  const { pathname } = useLocation()
  const { remindCount, systemNotifyCount, privateMessageCount } = unread.use()
  const tabs = [
    ['/user/control/remindList', words('events'), remindCount],
    ['/user/control/systemNotifyList', words('notices'), systemNotifyCount],
    ['/user/control/privateMessageList', words('messages'), privateMessageCount],
    ['/user/control/remindSettings', words('settings'), 0],
  ] as const
  return (
    <Tabs label={words('behindBell')}>
      {tabs.map(([path, label, count]) => (
        <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
          {label} <Count of={count} />
        </Link>
      ))}
    </Tabs>
  )
}
