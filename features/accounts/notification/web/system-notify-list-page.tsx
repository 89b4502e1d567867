import { useEffect } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Icon } from '#base/web/icon.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { deleteNotice, markAllRead, markRead, NoticeView, systemNotifyList } from '#notification/contract.ts'
import { NoticeTabs } from '#notification/web/notice-tabs.tsx'
import { SystemNotificationText } from '#notification/web/notice-text.tsx'
import { loadCounts } from '#notification/web/unread.ts'
import css from '#notification/web/notice.module.css'

export function Page() {
  const words = useWords('notification')
  const { notices, unread, page, pages, total } = useLoaderData<Output<typeof systemNotifyList>>()
  useMarkRead(notices)
  return (
    <section className="column">
      <div className={css.head}>
        <NoticeTabs />
        {unread > 0 && <MarkAll />}
      </div>
      {notices.length === 0 ? (
        <Empty>{words('none')}</Empty>
      ) : (
        <ol className={css.list}>
          {notices.map((notice) => (
            <Line key={notice.id} notice={notice} />
          ))}
        </ol>
      )}
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function MarkAll() {
  const words = useWords('notification')
  const api = useApi()
  const mark = useAction<typeof markAllRead>('/user/control/markAllSystemNotifyAsRead')

  async function all(): Promise<void> {
    if ((await mark.run({}, { message: words('allMarked') })) !== undefined) await loadCounts(api)
  }

  return (
    <button type="button" className="button quiet" disabled={mark.isBusy} onClick={() => void all()}>
      {words('markAll')}
    </button>
  )
}

function Line({ notice: { id, says, sentAt, readAt } }: { notice: NoticeView }) {
  const words = useWords('notification')
  const api = useApi()
  const remove = useAction<typeof deleteNotice>('/user/control/deleteSystemNotify')

  async function ask(): Promise<void> {
    if (!(await confirm(words('deleteQuestion'), words('delete')))) return
    if ((await remove.run({ noticeId: id }, { message: words('deleted') })) !== undefined) await loadCounts(api)
  }

  return (
    <li data-unread={readAt === null || undefined}>
      <p className="meta">
        {readAt === null && <span className={css.unread}>{words('unread')}</span>} <Time at={sentAt} />
      </p>
      <button
        type="button"
        className={`icon ${css.delete}`}
        aria-label={words('delete')}
        disabled={remove.isBusy}
        onClick={() => void ask()}
      >
        <Icon name="bin" />
      </button>
      <SystemNotificationText says={says} />
    </li>
  )
}

// The shown ones are marked as read, and keep their mark until the page is left.
function useMarkRead(notices: readonly NoticeView[]): void {
  const api = useApi()
  useEffect(() => {
    const noticeIds = notices.flatMap(({ id, readAt }) => (readAt === null ? id : []))
    if (noticeIds.length === 0) return
    api.write<typeof markRead>('/user/control/markSystemNotifyAsRead', { noticeIds }, { silent: true, background: true }).then(
      () => loadCounts(api),
      (error: unknown) => console.info('What was seen is not marked as read', error),
    )
  }, [api, notices])
}
