import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { Bubbles, type ShownMessage } from '#message/web/bubbles.tsx'
import { Foot } from '#message/web/foot.tsx'
import { Head } from '#message/web/head.tsx'
import { outgoing } from '#message/web/outbox.ts'
import { pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import { ReportDialog } from '#message/web/report.tsx'
import type { Loaded } from '#message/web/merge.ts'
import { lastOf, type Chat as Talk } from '#message/web/chat-state.ts'
import { useChat } from '#message/web/use-chat.ts'
import { useReading } from '#message/web/use-reading.ts'
import { useScroller } from '#message/web/use-scroller.ts'
import { isOffline } from '#message/web/send-out.ts'
import css from '#message/web/chat.module.css'

type Props = {
  first: Loaded
  place: MailboxView
  /** The message to scroll to. */
  messageId: string | null
  /** The menu's items that mute and block the partner, and the one that lifts a block below the messages. */
  blocking: ReactNode
  unblock: ReactNode
}

/** A conversation, and the box to write in. */
export function Chat({ first, place, messageId, blocking, unblock }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { chat, older, newer, catchUp, forget } = useChat(first, () => isInView(box.current))
  const all = useShownMessages(chat)
  const { isAtEnd, toEnd } = useScroller(box, { first: all[0]?.key, last: all.at(-1)?.key })
  const [reported, report] = useState<string | null>(null)
  const userId = chat.member.id
  const go = useNavigate()
  const toNewest = () => void go(pathTo(place, { userId }), { replace: true })
  useReading(box, chat)
  useInitialScroll(box, chat, messageId)

  return (
    <section className={css.pane} aria-label={chat.member.name}>
      <Head member={chat.member} place={place} lastId={lastOf(chat)} blocking={blocking} />
      <Bubbles {...{ box, chat, all, messageId, older, newer, forget, report }} />
      {(!isAtEnd || chat.hasNewer) && <ToEnd chat={chat} place={place} toEnd={toEnd} />}
      <Foot key={userId} chat={chat} place={place} unblock={unblock} written={chat.hasNewer ? toNewest : toEnd} answered={catchUp} />
      <ReportDialog messageId={reported} close={() => report(null)} />
    </section>
  )
}

function isInView(box: HTMLElement | null): boolean {
  return document.visibilityState === 'visible' && (box?.scrollTop ?? 0) > -60
}

/** The stored messages and the outbox; one that was delivered keeps its key, so that React keeps its element. */
function useShownMessages({ member, messages, hasNewer }: Talk): ShownMessage[] {
  const waiting = outgoing.use().filter(({ userId }) => userId === member.id)
  const isHeld = isOffline.use()
  const known = new Set(messages.flatMap(({ key }) => key ?? []))
  const onTheWay = hasNewer ? [] : waiting.filter(({ key }) => !known.has(key))
  return [
    ...messages.map((message) => ({ key: message.key ?? message.id, isMine: message.isMine, sentAt: message.sentAt, message })),
    ...onTheWay.map((item) => ({ key: item.key, isMine: true, sentAt: new Date(item.at).toISOString(), item, isHeld })),
  ]
}

/** The first scroll position: the requested message, the first unread one, or the end. */
function useInitialScroll(box: RefObject<HTMLElement | null>, { newFrom }: Talk, messageId: string | null): void {
  const [at] = useState(messageId ?? newFrom)
  useEffect(() => {
    const place = at && box.current?.querySelector(`#message-${at}`)
    if (place) place.scrollIntoView({ block: messageId ? 'center' : 'start' })
  }, [at, box, messageId])
}

function ToEnd({ chat, place, toEnd }: { chat: Talk; place: MailboxView; toEnd: (behavior?: ScrollBehavior) => void }) {
  const words = useWords('message')
  const label = words('toNewest')
  const count = chat.unread > 0 && <span className={css.below}>{chat.unread}</span>
  const sign = <Icon name="down" />
  if (chat.hasNewer)
    return (
      <Link to={pathTo(place, { userId: chat.member.id })} replace className={css.toEnd} aria-label={label}>
        {sign} {count}
      </Link>
    )
  return (
    <button type="button" className={css.toEnd} aria-label={label} onClick={() => toEnd('smooth')}>
      {sign} {count}
    </button>
  )
}
