import type { ReactNode } from 'react'
import { onMemberLogout } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Icon } from '#base/web/icon.tsx'
import { LatestList, useLatestRows } from '#base/web/latest.tsx'
import { Link } from '#base/web/link.tsx'
import { createStore } from '#base/web/store.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { markRead, NoticeView } from '#notification/contract.ts'
import type { latestNotifications, markAllAsRead, LatestItemView } from '#notification/latest-contract.ts'
import type { markNotifications, NotificationView } from '#notification/notification-contract.ts'
import { useNoticeLine } from '#notification/web/notice-text.tsx'
import { useNotificationLine } from '#notification/web/notification-text.tsx'
import { loadCounts, unread } from '#notification/web/unread.ts'
import { Avatar } from '#user/web/user.tsx'
import css from '#notification/web/latest.module.css'

const cached = createStore<LatestItemView[] | null>(null)
onMemberLogout(() => cached.set(null))

export function Latest() {
  const words = useWords('notification')
  const api = useApi()
  const { remindCount, systemNotifyCount } = unread.use()
  const latest = useLatestRows(cached, `${remindCount}-${systemNotifyCount}`, async () => {
    const answer = await api.read<typeof latestNotifications>('/user/control/latestNotifications', {}, { silent: true, background: true })
    return answer.notifications
  })
  const foot = (
    <>
      <Link to="/user/control/remindList">{words('seeAll')}</Link>
      <Link to="/user/control/systemNotifyList">{words('seeNotices')}</Link>
      <Link to="/user/control/remindSettings">{words('settings')}</Link>
    </>
  )
  const markAll = remindCount + systemNotifyCount > 0 && <MarkAll />
  return (
    <LatestList title={words('notifications')} markAll={markAll} of={latest} none={words('noNotifications')} foot={foot}>
      {latest.rows?.map(({ notification, notice }) =>
        notification ? (
          <Notification key={`notification ${notification.id}`} of={notification} />
        ) : (
          notice && <Notice key={`notice ${notice.id}`} of={notice} />
        ),
      )}
    </LatestList>
  )
}

function MarkAll() {
  const words = useWords('notification')
  const api = useApi()
  const mark = useAction<typeof markAllAsRead>('/user/control/markAllAsRead')
  async function all(): Promise<void> {
    if ((await mark.run({}, { message: words('allMarked') })) !== undefined) await loadCounts(api)
  }
  return (
    <button type="button" className="plain" disabled={mark.isBusy} onClick={() => void all()}>
      {words('markAll')}
    </button>
  )
}

function Notification({ of: notification }: { of: NotificationView }) {
  const api = useApi()
  const { says, to } = useNotificationLine(notification)
  const [face] = notification.members
  const mark = () =>
    api
      .write<typeof markNotifications>('/user/control/markNotificationsAsRead', { notificationIds: [notification.id] }, callOptions)
      .then(() => loadCounts(api), notMarked)
  return (
    <Row
      to={to ?? '/user/control/remindList'}
      at={notification.at}
      readAt={notification.readAt}
      mark={mark}
      says={says}
      about={notification.post?.title}
    >
      {face ? <Avatar of={face} size={32} /> : <Sign />}
    </Row>
  )
}

function Notice({ of: { id, says, sentAt, readAt } }: { of: NoticeView }) {
  const api = useApi()
  const line = useNoticeLine(says)
  const mark = () =>
    api
      .write<typeof markRead>('/user/control/markSystemNotifyAsRead', { noticeIds: [id] }, callOptions)
      .then(() => loadCounts(api), notMarked)
  return (
    <Row to={line.to ?? '/user/control/systemNotifyList'} at={sentAt} readAt={readAt} mark={mark} says={line.says} about={line.about}>
      <Sign />
    </Row>
  )
}

// Sent with keepalive, because following the link leaves this page.
const callOptions = { silent: true, background: true, survives: true }

function notMarked(error: unknown): void {
  console.info('What was followed is not marked as read', error)
}

type RowProps = {
  to: string
  at: string
  readAt: string | null
  mark: () => Promise<void>
  says: string
  about: string | undefined
  children: ReactNode
}

function Row({ to, at, readAt, mark, says, about, children }: RowProps) {
  const words = useWords('notification')
  return (
    <li className={css.row} data-unread={readAt === null || undefined}>
      <Link to={to} onClick={readAt === null ? () => void mark() : undefined}>
        {children}
        <span className={css.what}>
          <span className={css.says}>{says}</span>
          {about && <bdi className={css.about}>{about}</bdi>}
          <Time at={at} />
        </span>
        {readAt === null && (
          <span className={css.dot}>
            <span className="hidden">{words('unread')}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function Sign() {
  return (
    <span className={css.sign}>
      <Icon name="bell" size={18} />
    </span>
  )
}
