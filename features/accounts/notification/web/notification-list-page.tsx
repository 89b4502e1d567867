import { useEffect, useEffectEvent } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type {
  deleteNotification,
  markAllNotifications,
  markNotifications,
  notificationList,
  NotificationView,
  unmarkNotifications,
} from '#notification/notification-contract.ts'
import { NoticeTabs } from '#notification/web/notice-tabs.tsx'
import { NotificationSentence, ReasonLink } from '#notification/web/notification-text.tsx'
import { loadCounts, unread as unreadCounts } from '#notification/web/unread.ts'
import { Avatar } from '#user/web/user.tsx'
import css from '#notification/web/notice.module.css'

export function Page() {
  const words = useWords('notification')
  const { notifications, unread, page, pages, total } = useLoaderData<Output<typeof notificationList>>()
  useReloadOnNew(unread)
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      <div className={css.head}>
        <NoticeTabs />
        {unread > 0 && <MarkAll />}
      </div>
      {notifications.length === 0 && <Empty action={around}>{words('noEvents')}</Empty>}
      <ol className={css.list}>
        {notifications.map((notification) => (
          <Line key={notification.id} notification={notification} />
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

// New notifications appear on the open list.
function useReloadOnNew(visibleCount: number): void {
  const { revalidate } = useRevalidator()
  const { remindCount } = unreadCounts.use()
  const look = useEffectEvent((count: number) => void (count > visibleCount && revalidate()))
  useEffect(() => look(remindCount), [remindCount])
}

function MarkAll() {
  const words = useWords('notification')
  const api = useApi()
  const mark = useAction<typeof markAllNotifications>('/user/control/markAllNotificationsAsRead')
  const unmark = useAction<typeof unmarkNotifications>('/user/control/markNotificationsAsUnread')

  async function all(): Promise<void> {
    const done = await mark.run({})
    if (!done) return
    await loadCounts(api)
    toast(words('allMarked'), { label: words('undo'), retry: () => void back(done.readAt) })
  }

  async function back(readAt: string): Promise<void> {
    if ((await unmark.run({ readAt })) !== undefined) await loadCounts(api)
  }

  return (
    <button type="button" className="button quiet" disabled={mark.isBusy} onClick={() => void all()}>
      {words('markAll')}
    </button>
  )
}

function Line({ notification }: { notification: NotificationView }) {
  const words = useWords('notification')
  const api = useApi()
  const mark = useAction<typeof markNotifications>('/user/control/markNotificationsAsRead')
  const remove = useAction<typeof deleteNotification>('/user/control/deleteNotification')
  const { id, at, readAt, members } = notification
  const notificationIds = [id]
  const reload = () => loadCounts(api)

  // Sent with keepalive, because following the link leaves this page.
  function follow(): void {
    if (readAt !== null) return
    const options = { silent: true, background: true, survives: true }
    api
      .write<typeof markNotifications>('/user/control/markNotificationsAsRead', { notificationIds }, options)
      .then(reload, (error: unknown) => console.info('What was followed is not marked as read', error))
  }

  return (
    <li data-unread={readAt === null || undefined}>
      <p className="meta">
        {readAt === null && <span className={css.unread}>{words('unread')}</span>} <Time at={at} />
      </p>
      <span className={css.delete}>
        <Menu label={words('actions')}>
          <ReasonLink of={notification} />
          {readAt === null && <MenuButton onClick={() => void mark.run({ notificationIds }).then(reload)}>{words('mark')}</MenuButton>}
          <MenuButton danger onClick={() => void remove.run({ notificationId: id }, { message: words('deleted') }).then(reload)}>
            {words('delete')}
          </MenuButton>
        </Menu>
      </span>
      <div className={css.notification}>
        {members.length > 0 && (
          <span className={css.faces}>
            {members.map((member) => (
              <Avatar key={member.id} of={member} size={32} />
            ))}
          </span>
        )}
        <div>
          <NotificationSentence notification={notification} follow={follow} />
        </div>
      </div>
    </li>
  )
}
