import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { PersonLink, Yuan } from '#base/admin/staff-list.tsx'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { DisputeState } from '#payment/admin/disputes-page.tsx'
import { receivedText, EventState } from '#payment/admin/events-page.tsx'
import { RefundState } from '#payment/admin/refund-columns.tsx'
import { Fact, Facts, PaymentLink, TransactionLink, ZoneNote } from '#payment/admin/payment.tsx'
import { MoneyBack } from '#payment/admin/money-back.tsx'
import { SettleSection } from '#payment/admin/settle-event.tsx'
import type { StaffEvent } from '#payment/admin/views.ts'
import type { EventProblem } from '#payment/staff-views.ts'
import css from '#payment/admin/payment.module.css'

export function Page() {
  const words = useWords('paymentAdmin')
  const event = useLoaderData<StaffEvent>()
  const name = words('eventCalled', { id: event.id })
  return (
    <>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogLink about={`paymentEvent ${event.id}`} />
        </Menu>
      </Head>
      <p>
        <Link to="/admin/payment/event?state=suspended">{words('toExceptions')}</Link>
      </p>
      {event.isWaiting && (
        <p className="note">
          <Link to="/admin/money-request?state=waiting">{words(event.kind === 'paid' ? 'creditWaits' : 'bookWaits')}</Link>
        </p>
      )}
      {event.problem && event.state === 'suspended' && (
        <p className="note">
          <strong>{words(`problem${event.problem}`)}.</strong> {words(`why${whyOf(event, event.problem)}`)}
        </p>
      )}
      <EventFacts event={event} />
      {event.kind === 'paid' && <Comparison event={event} />}
      {(event.kind === 'refund' || event.kind === 'dispute') && <MoneyBack event={event} />}
      {event.state === 'suspended' && !event.isWaiting && <SettleSection event={event} />}
      <Outcome event={event} />
      <details>
        <summary>{words('asItCame')}</summary>
        <pre className={css.body}>{event.body || words('nothingCame')}</pre>
      </details>
      <ZoneNote />
    </>
  )
}

/** A problem of money that goes back is not that of money that comes in. */
function whyOf({ kind }: StaffEvent, problem: EventProblem): EventProblem | `back${BackProblem}` {
  const isBack = kind === 'refund' || kind === 'dispute'
  return isBack && isOneOf(backProblems, problem) ? `back${problem}` : problem
}

const backProblems = ['unknownOrder', 'otherAmount', 'otherCurrency', 'notPaid'] as const
type BackProblem = (typeof backProblems)[number]

function isOneOf<T extends string>(some: readonly T[], one: string): one is T {
  return some.some((its) => its === one)
}

function EventFacts({ event: { state, kind, provider, receivedAt, paidAt, eventNumber, providerNumber, member } }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const isBack = kind === 'refund' || kind === 'dispute'
  return (
    <Facts>
      <Fact label={words('state')}>
        <EventState of={state} />
      </Fact>
      <Fact label={words('kind')}>{words(`kind${kind}`)}</Fact>
      <Fact label={words('provider')}>{words(`provider${provider}`)}</Fact>
      {member && (
        <Fact label={words('member')}>
          <PersonLink of={member} />
        </Fact>
      )}
      <Fact label={words('receivedAt')}>
        <ExactTime at={receivedAt} />
      </Fact>
      {paidAt && (
        <Fact label={words(isBack ? 'backAt' : 'takenAt')}>
          <ExactTime at={paidAt} />
        </Fact>
      )}
      {providerNumber && (
        <Fact label={words(kind === 'dispute' ? 'disputeNumber' : 'providerNumber')}>
          <span className={css.number}>{providerNumber}</span>
        </Fact>
      )}
      <Fact label={words('eventNumber')}>
        <span className={css.number}>{eventNumber}</span>
      </Fact>
    </Facts>
  )
}

/** The expected values beside those received. */
function Comparison({ event }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const { number, isKnown, ordered, seller, app, currency, problem, provider } = event
  const ours = words(`provider${provider}`)
  return (
    <>
      <h2>{words('comparison')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th>{words('fact')}</th>
              <th>{words('expected')}</th>
              <th>{words('received')}</th>
            </tr>
          </thead>
          <tbody>
            <Line name="number" came={number} differs={problem === 'unknownOrder'}>
              {isKnown && number ? <PaymentLink number={number} /> : words('noSuchOrder')}
            </Line>
            <Line name="amount" came={receivedText(event, words)} differs={problem === 'otherAmount'}>
              {ordered && `${ordered} CNY`}
            </Line>
            <Line name="currency" came={currency} differs={problem === 'otherCurrency'}>
              CNY
            </Line>
            <Line name="provider" came={ours} differs={problem === 'otherProvider'}>
              {problem === 'otherProvider' ? words('anotherProvider') : isKnown && ours}
            </Line>
            <Line name="seller" came={seller} differs={problem === 'otherSeller'}>
              {words('asSetUp')}
            </Line>
            <Line name="app" came={app} differs={problem === 'otherApp'}>
              {words('asSetUp')}
            </Line>
          </tbody>
        </table>
      </div>
    </>
  )
}

type LineProps = { name: string; came: string | null; differs: boolean; children: ReactNode }

function Line({ name, came, differs, children }: LineProps) {
  const words = useWords('paymentAdmin')
  if (!came) return null
  return (
    <tr className={differs ? css.differs : undefined}>
      <th scope="row">{words(name)}</th>
      <td>{children || '–'}</td>
      <td className={css.number}>
        {came} {differs && <span className="hidden">{words('differs')}</span>}
      </td>
    </tr>
  )
}

function Outcome({
  event: { kind, state, problem, handledAt, handledBy, answer, creditedTo, creditedAs, transactionId, refund, dispute },
}: {
  event: StaffEvent
}) {
  const words = useWords('paymentAdmin')
  if (kind === 'refund' && state === 'done' && !refund) return <p className="note">{words('nothingBooked')}</p>
  if (!handledBy && !transactionId && !refund && !dispute) return null
  return (
    <>
      <h2>{words('outcome')}</h2>
      <Facts>
        {problem && state !== 'suspended' && <Fact label={words('waitedBecause')}>{words(`problem${problem}`)}</Fact>}
        {handledBy && <Fact label={words('settledBy')}>{handledBy}</Fact>}
        {handledAt && (
          <Fact label={words('settledAt')}>
            <ExactTime at={handledAt} />
          </Fact>
        )}
        {answer && <Fact label={words('reason')}>{answer}</Fact>}
        {creditedTo && (
          <Fact label={words('creditedTo')}>
            <PersonLink of={creditedTo} />
          </Fact>
        )}
        {creditedAs && (
          <Fact label={words('payment')}>
            <PaymentLink number={creditedAs} />
          </Fact>
        )}
        {transactionId && (
          <Fact label={words('transaction')}>
            <TransactionLink id={transactionId} />
          </Fact>
        )}
        {refund && (
          <Fact label={words('refundCalled', { number: refund.number })}>
            <Yuan of={refund.amount} /> · <RefundState of={refund} />
          </Fact>
        )}
        {dispute && (
          <Fact label={words('kinddispute')}>
            <Yuan of={dispute.amount} /> · <DisputeState of={dispute.state} />
          </Fact>
        )}
      </Facts>
    </>
  )
}
