import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Failed } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { maxRequestMessages, type accept } from '#message/contract.ts'
import { useDeleteAll } from '#message/web/delete-all.ts'
import { outgoing } from '#message/web/outbox.ts'
import { pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import { lastOf, type Chat } from '#message/web/chat-state.ts'
import { announceChange } from '#message/web/use-list.ts'
import { loadCounts } from '#notification/web/notification.tsx'
import css from '#message/web/chat.module.css'

type Props = {
  chat: Chat
  place: MailboxView
  unblock: ReactNode
  /** Called when a message was written. */
  written: () => void
  /** Called when the relation of the two may have changed. */
  answered: () => void
}

const reasons = {
  notReceiving: 'closedNotReceiving',
  blockedByYou: 'closedBlockedByYou',
  requestWaits: 'closedRequestWaits',
  gone: 'closedGone',
  notAllowed: 'closedNotAllowed',
}

/** Below the messages: the request to answer, the reason why one cannot write, or the box. */
export function Foot({ chat, place, unblock, written, answered }: Props) {
  const words = useWords('message')
  const { member, closed, request, needsCaptcha } = chat
  const { part, hasFailed, retry } = useNeeded(() => import('#message/web/box.tsx'))
  useRefusalHandler(member.id, answered)
  return (
    <footer className={css.foot}>
      {request === 'theirs' && <Request chat={chat} place={place} answered={answered} />}
      {closed ? (
        <p className={css.closed} role="status">
          {words(reasons[closed], { name: member.name })} {closed === 'blockedByYou' && unblock}
        </p>
      ) : (
        <>
          {request === 'mine' && <p className={css.hint}>{words('requestIsMine', { name: member.name, most: maxRequestMessages })}</p>}
          {hasFailed && <Failed retry={retry} />}
          {part ? (
            <part.Box userId={member.id} name={member.name} asksCaptcha={needsCaptcha} written={written} />
          ) : (
            !hasFailed && <div className={css.boxToCome} />
          )}
        </>
      )}
    </footer>
  )
}

/** A refused message may mean that one cannot write here any more. */
function useRefusalHandler(userId: string, answered: () => void): void {
  const refused = outgoing.use().filter((item) => item.userId === userId && item.wrong).length
  useEffect(() => {
    if (refused > 0) answered()
  }, [refused, answered])
}

/** A request: accepted, deleted, or blocked. */
function Request({ chat, place, answered }: Pick<Props, 'chat' | 'place' | 'answered'>) {
  const words = useWords('message')
  const api = useApi()
  const go = useNavigate()
  const deleteAll = useDeleteAll()
  const take = useAction<typeof accept>('/user/control/acceptPrivateMessageRequest')
  const { id, name } = chat.member

  async function accepted(): Promise<void> {
    if (
      (await take.run({ userId: id }, { onSuccess: () => announceChange({ gone: id, from: 'requests' }), message: words('accepted') })) ===
      undefined
    )
      return
    answered()
    await loadCounts(api)
  }
  async function remove(): Promise<void> {
    if (await deleteAll({ of: chat.member, upTo: lastOf(chat) ?? '0' })) await go(pathTo(place), { replace: true })
  }

  return (
    <section className={css.request} aria-label={words('request')}>
      <p>{words('asksToWrite', { name })}</p>
      <p className={css.answers}>
        <button type="button" className="button" disabled={take.isBusy} onClick={() => void accepted()}>
          {words('accept')}
        </button>
        <button type="button" className="button quiet" onClick={() => void remove()}>
          {words('delete')}
        </button>
      </p>
    </section>
  )
}
