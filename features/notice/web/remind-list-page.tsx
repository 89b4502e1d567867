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
  deleteReminder,
  markAllReminders,
  markReminders,
  remindList,
  ReminderView,
  unmarkReminders,
} from '#notice/reminder-contract.ts'
import { NoticeTabs } from '#notice/web/notice-tabs.tsx'
import { Reminding, ReasonLink } from '#notice/web/reminder-text.tsx'
import { loadCounts, unread as unreadCounts } from '#notice/web/unread.ts'
import { Avatar } from '#user/web/user.tsx'
import css from '#notice/web/notice.module.css'

export function Page() {
  const words = useWords('notice')
  const { reminders, unread, page, pages, total } = useLoaderData<Output<typeof remindList>>()
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
      {reminders.length === 0 && <Empty action={around}>{words('noReminders')}</Empty>}
      <ol className={css.list}>
        {reminders.map((reminder) => (
          <Line key={reminder.id} reminder={reminder} />
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

// New notifications appear on the open list.
function useReloadOnNew(shown: number): void {
  const { revalidate } = useRevalidator()
  const { remindCount } = unreadCounts.use()
  const look = useEffectEvent((told: number) => void (told > shown && revalidate()))
  useEffect(() => look(remindCount), [remindCount])
}

function MarkAll() {
  const words = useWords('notice')
  const api = useApi()
  const mark = useAction<typeof markAllReminders>('/user/control/markAllRemindersAsRead')
  const unmark = useAction<typeof unmarkReminders>('/user/control/markRemindersAsUnread')

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

function Line({ reminder }: { reminder: ReminderView }) {
  const words = useWords('notice')
  const api = useApi()
  const mark = useAction<typeof markReminders>('/user/control/markRemindersAsRead')
  const remove = useAction<typeof deleteReminder>('/user/control/deleteRemind')
  const { id, at, readAt, members } = reminder
  const reminderIds = [id]

  // Sent with keepalive, because following the link leaves this page.
  function follow(): void {
    if (readAt !== null) return
    const options = { silent: true, background: true, survives: true }
    api.write<typeof markReminders>('/user/control/markRemindersAsRead', { reminderIds }, options).then(
      () => loadCounts(api),
      (error: unknown) => console.info('What was followed is not marked as read', error),
    )
  }

  return (
    <li data-unread={readAt === null || undefined}>
      <p className="meta">
        {readAt === null && <span className={css.unread}>{words('unread')}</span>} <Time at={at} />
      </p>
      <span className={css.delete}>
        <Menu label={words('actions')}>
          <ReasonLink of={reminder} />
          {readAt === null && (
            <MenuButton onClick={() => void mark.run({ reminderIds }).then(() => loadCounts(api))}>{words('mark')}</MenuButton>
          )}
          <MenuButton danger onClick={() => void remove.run({ remindId: id }, { done: words('deleted') }).then(() => loadCounts(api))}>
            {words('delete')}
          </MenuButton>
        </Menu>
      </span>
      <div className={css.reminder}>
        {members.length > 0 && (
          <span className={css.faces}>
            {members.map((member) => (
              <Avatar key={member.id} of={member} size={32} />
            ))}
          </span>
        )}
        <div>
          <Reminding reminder={reminder} follow={follow} />
        </div>
      </div>
    </li>
  )
}
