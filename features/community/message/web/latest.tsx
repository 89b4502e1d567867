import { onMemberLogout } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { LatestList, useLatestRows } from '#base/web/latest.tsx'
import { Link } from '#base/web/link.tsx'
import { createStore } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import type { conversations, ConversationView, markAllRead } from '#message/contract.ts'
import { listPath, pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import { RowLink } from '#message/web/row.tsx'
import { announceChange } from '#message/web/use-list.ts'
import { loadCounts, unread } from '#notification/web/notification.tsx'
import css from '#message/web/list.module.css'

const limit = 10
const inbox: MailboxView = { in: 'inbox', search: '' }
const cached = createStore<ConversationView[] | null>(null)
const requests = createStore(0)
onMemberLogout(() => {
  cached.set(null)
  requests.set(0)
})

export function Latest() {
  const words = useWords('message')
  const api = useApi()
  const { privateMessageCount, messageRevision } = unread.use()
  const waiting = requests.use()
  const latest = useLatestRows(cached, messageRevision, async () => {
    const input = { ...inbox, limit }
    const answer = await api.read<typeof conversations>('/user/control/privateMessageList', input, { silent: true, background: true })
    requests.set(answer.requests)
    return answer.conversations
  })
  const foot = (
    <>
      <Link to={listPath}>{words('seeAll')}</Link>
      {waiting > 0 && <Link to={pathTo({ ...inbox, in: 'requests' })}>{words('requestCount', { count: waiting })}</Link>}
    </>
  )
  return (
    <LatestList title={words('messages')} markAll={privateMessageCount > 0 && <MarkAll />} of={latest} none={words('none')} foot={foot}>
      {latest.rows?.map((one) => (
        <li key={one.member.id} className={css.row} data-unread={one.unread > 0 || undefined}>
          <RowLink of={one} place={inbox} isCurrent={false} />
        </li>
      ))}
    </LatestList>
  )
}

function MarkAll() {
  const words = useWords('message')
  const api = useApi()
  const mark = useAction<typeof markAllRead>('/user/control/markAllPrivateMessagesAsRead')
  async function all(): Promise<void> {
    if ((await mark.run({}, { onSuccess: () => announceChange(), message: words('allMarked') })) !== undefined) await loadCounts(api)
  }
  return (
    <button type="button" className="plain" disabled={mark.isBusy} onClick={() => void all()}>
      {words('markAll')}
    </button>
  )
}
