import { Fragment } from 'react'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import type { Flow, HintView, Pattern } from '#collusion/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#collusion/admin/hints-page.module.css'

export function People({ members }: Pick<HintView, 'members'>) {
  return (
    <ul className={`${css.list} ${css.members}`}>
      {members.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/admin/wallet/member?memberId=${id}`}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The patterns, and facts in common. */
export function Reasons({ hint: { members, patterns, shared } }: { hint: HintView }) {
  const words = useWords('collusionAdmin')
  const nameOf = namesIn(members)
  return (
    <ul className={css.list}>
      {patterns.map(({ measure, shape }) => (
        <li key={measure}>
          <strong>{patternIn(words, { measure, shape }, members.length)}</strong>
        </li>
      ))}
      {shared.map(({ kind, members: [one = '', other = ''] }) => (
        <li key={`${kind} ${one} ${other}`}>{words(`shared${kind}`, { one: nameOf(one), other: nameOf(other) })}</li>
      ))}
    </ul>
  )
}

export function patternIn(words: Translate, { measure, shape }: Pattern, count: number): string {
  return shape === 'ring' ? words(`ring${measure}`, { count }) : words(`oneWay${measure}`)
}

/** The flows with their sums, shares, period and transactions. */
export function Flows({ hint: { members, flows } }: { hint: HintView }) {
  const nameOf = namesIn(members)
  return (
    <ul className={css.list}>
      {flows.map((flow) => (
        <li key={`${flow.measure} ${flow.from} ${flow.to}`}>
          <FlowLine flow={flow} from={nameOf(flow.from)} to={nameOf(flow.to)} />
        </li>
      ))}
    </ul>
  )
}

function FlowLine({ flow, from, to }: { flow: Flow; from: string; to: string }) {
  const words = useWords('collusionAdmin')
  const language = useLanguage()
  const { measure, amount, times, ofGiven, ofReceived, firstAt, lastAt, transactionIds } = flow
  const text = measure === 'cny' ? amountText(amount, 'cny', language) : Number(amount)
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).formatRange(new Date(firstAt), new Date(lastAt))
  return (
    <>
      {words(`flow${measure}`, { from, to, amount: text, times })}{' '}
      <span className="meta">
        {words(measure === 'likes' ? 'shareOfLikes' : 'share', { from, to, ofGiven, ofReceived })} {days}
        {transactionIds.length > 0 && (
          <>
            {' · '}
            {words('transactions')}{' '}
            {transactionIds.map((id, place) => (
              <Fragment key={id}>
                {place > 0 && ', '}
                <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{id}</Link>
              </Fragment>
            ))}
          </>
        )}
      </span>
    </>
  )
}

function namesIn(members: HintView['members']): (id: string) => string {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
