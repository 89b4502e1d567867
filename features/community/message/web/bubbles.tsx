import { Fragment, useRef, type ReactNode, type RefObject } from 'react'
import { Failed } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { MessageView } from '#message/contract.ts'
import { Bubble } from '#message/web/bubble.tsx'
import { OutgoingBubble } from '#message/web/outgoing-bubble.tsx'
import type { Outgoing } from '#message/web/outbox.ts'
import { grouped } from '#message/web/by-day.ts'
import type { Chat } from '#message/web/chat-state.ts'
import { useNear } from '#message/web/use-scroller.ts'
import { Day, useDay } from '#message/web/when.tsx'
import css from '#message/web/chat.module.css'

/** A stored message, or one in the outbox. */
export type ShownMessage = { key: string; isMine: boolean; sentAt: string } & (
  | { message: MessageView }
  | { item: Outgoing; isHeld: boolean }
)

type Props = {
  box: RefObject<HTMLDivElement | null>
  chat: Chat
  all: readonly ShownMessage[]
  messageId: string | null
  older: () => void
  newer: () => void
  forget: (id: string) => void
  report: (id: string) => void
}

/** The messages by day, scrolled from their end. */
export function Bubbles({ box, chat, all, messageId, older, newer, forget, report }: Props) {
  const words = useWords('message')
  const { newFrom, hasOlder, hasNewer, failed, member } = chat
  const [start, end] = [useRef<HTMLParagraphElement>(null), useRef<HTMLParagraphElement>(null)]
  useNear(start, box, hasOlder && failed !== 'older' ? older : null, all[0]?.key)
  useNear(end, box, hasNewer && failed !== 'newer' ? newer : null, all.at(-1)?.key)
  return (
    <div ref={box} className={css.scroller} role="log" aria-label={words('messagesWith', { name: member.name })}>
      <div className={css.inner}>
        {failed === 'older' && <Failed retry={older} />}
        <p ref={start} className={css.edge}>
          {hasOlder ? words('loading') : all.length > 0 ? words('beginning', { name: member.name }) : ''}
        </p>
        {all.length === 0 && <p className={css.nothing}>{words('nothingYet', { name: member.name })}</p>}
        <ol className={css.bubbles}>
          {grouped(all).map(({ one, isOfNewDay, isFirst, isLast }) => {
            const isNew = 'message' in one && one.message.id === newFrom
            return (
              <Fragment key={one.key}>
                {isOfNewDay && <NewDay at={one.sentAt} />}
                {isNew && <Separator className={css.new} name={words('newOnes')} />}
                {'message' in one ? (
                  <Bubble
                    message={one.message}
                    other={member}
                    {...{ isFirst: isFirst || isNew, isLast, forget, report }}
                    isFound={one.message.id === messageId}
                  />
                ) : (
                  <OutgoingBubble item={one.item} isHeld={one.isHeld} isFirst={isFirst} mayEdit={chat.closed === null} />
                )}
              </Fragment>
            )
          })}
        </ol>
        {failed === 'newer' && <Failed retry={newer} />}
        <p ref={end} className={css.edge}>
          {hasNewer && words('loading')}
        </p>
      </div>
    </div>
  )
}

function NewDay({ at }: { at: string }) {
  const dayIn = useDay()
  return (
    <Separator className={css.day} name={dayIn(at)}>
      <Day at={at} />
    </Separator>
  )
}

function Separator({ className, name, children = name }: { className: string | undefined; name: string; children?: ReactNode }) {
  return (
    <li className={className}>
      <span role="separator" aria-label={name}>
        {children}
      </span>
    </li>
  )
}
