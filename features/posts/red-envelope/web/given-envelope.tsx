import type { ReactNode } from 'react'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import type { GivenView, EnvelopePlace } from '#red-envelope/list-contract.ts'
import { useAmount } from '#red-envelope/web/amount.ts'
import { Name } from '#user/web/user.tsx'
import type { Currency } from '#wallet/contract.ts'
import css from '#red-envelope/web/lists.module.css'

const kindWords = { random: 'kindRandom', fixed: 'kindFixed', targeted: 'optionTargeted' } as const
const stateWords = {
  waiting: 'stateWaiting',
  open: 'stateOpen',
  taken: 'stateTaken',
  returned: 'stateReturned',
  dropped: 'stateDropped',
} as const

export function GivenEnvelope({ of, children }: { of: GivenView; children?: ReactNode }) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  const { kind, currency, amount, quantity, taken, takenAmount, returned, state, at, endsAt, receiver } = of
  return (
    <>
      <p className={css.title}>
        <strong>{words(kindWords[kind])}</strong>
        <span className="mark">{words(stateWords[state])}</span>
        <span className="meta">
          <Time at={at} />
        </span>
      </p>
      <dl>
        <Fact name={words('amount')}>{amountOf(amount, currency)}</Fact>
        {receiver && (
          <Fact name={words('receiver')}>
            <Name of={receiver} withRoles={false} />
          </Fact>
        )}
        <PlaceFact of={of} />
        {state !== 'waiting' && state !== 'dropped' && (
          <Fact name={words('openedField')}>{words('openedSum', { taken, quantity, amount: amountOf(takenAmount, currency) })}</Fact>
        )}
        {state === 'returned' && <Fact name={words('returned')}>{amountOf(returned, currency)}</Fact>}
        {state === 'open' && endsAt && (
          <Fact name={words('endsField')}>
            <Time at={endsAt} />
          </Fact>
        )}
      </dl>
      {children}
    </>
  )
}

export function PlaceFact({ of: { topic, message } }: { of: EnvelopePlace }) {
  const words = useWords('redEnvelope')
  if (message)
    return (
      <Fact name={words('topic')}>
        <Link to={`/user/control/privateMessageChatList?userId=${message.with}&messageId=${message.id}`}>{words('message')}</Link>
      </Fact>
    )
  if (!topic) return null
  const { id, title, isQuestion, commentId } = topic
  const thread = isQuestion ? 'question' : 'topic'
  return (
    <Fact name={words('topic')}>
      <Link to={postPath({ kind: commentId ? 'comment' : 'topic', thread, id: commentId ?? id, topicId: id, commentId })}>
        <bdi>{title}</bdi>
      </Link>
    </Fact>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The totals in points and in money. Renders nothing without any. */
export function Sum({ name, of }: { name: string; of: readonly { currency: Currency; amount: string }[] }) {
  const amountOf = useAmount()
  if (of.length === 0) return null
  return (
    <p className={css.sum}>
      {name} <strong>{of.map(({ currency, amount }) => amountOf(amount, currency)).join(' + ')}</strong>
    </p>
  )
}
