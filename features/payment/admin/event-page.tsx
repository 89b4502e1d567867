import { useLoaderData } from 'react-router'
import { LogOf } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { cameText, EventState } from '#payment/admin/events-page.tsx'
import { RefundState } from '#payment/admin/refund-columns.tsx'
import { At, Fact, Facts, PaymentLink, Person, TransactionLink, Yuan, ZoneNote } from '#payment/admin/said.tsx'
import { Settling } from '#payment/admin/settling.tsx'
import type { EventProblem, staffEvent } from '#payment/staff-contract.ts'
import css from '#payment/admin/payment.module.css'

export type StaffEvent = Output<typeof staffEvent>

export function Page() {
  const words = useWords('paymentAdmin')
  const event = useLoaderData<StaffEvent>()
  const name = words('eventCalled', { id: event.id })
  return (
    <>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogOf about={`paymentEvent ${event.id}`} />
        </Menu>
      </Head>
      <p>
        <Link to="/admin/payment/event?state=suspended">{words('toExceptions')}</Link>
      </p>
      {event.isWaiting && (
        <p className="note">
          <Link to="/admin/money-request?state=waiting">{words('creditWaits')}</Link>
        </p>
      )}
      {event.problem && (
        <p className="note">
          <strong>{words(`problem${event.problem}`)}.</strong> {words(`why${event.problem}`)}
        </p>
      )}
      <EventFacts event={event} />
      {event.kind === 'paid' && <Comparison event={event} />}
      {event.state === 'suspended' && !event.isWaiting && <Settling event={event} />}
      <Outcome event={event} />
      <details>
        <summary>{words('asItCame')}</summary>
        <pre className={css.body}>{event.body || words('nothingCame')}</pre>
      </details>
      <ZoneNote />
    </>
  )
}

function EventFacts({ event: { state, kind, provider, receivedAt, paidAt, eventNumber, providerNumber, member } }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  return (
    <Facts>
      <Fact label={words('state')}>
        <EventState of={state} />
      </Fact>
      <Fact label={words('kind')}>{words(`kind${kind}`)}</Fact>
      <Fact label={words('provider')}>{words(`provider${provider}`)}</Fact>
      {member && (
        <Fact label={words('member')}>
          <Person of={member} />
        </Fact>
      )}
      <Fact label={words('receivedAt')}>
        <At at={receivedAt} />
      </Fact>
      {paidAt && (
        <Fact label={words('takenAt')}>
          <At at={paidAt} />
        </Fact>
      )}
      {providerNumber && (
        <Fact label={words('providerNumber')}>
          <span className={css.number}>{providerNumber}</span>
        </Fact>
      )}
      <Fact label={words('eventNumber')}>
        <span className={css.number}>{eventNumber}</span>
      </Fact>
    </Facts>
  )
}

/** Which line of the comparison a problem is about. */
const lineOf: Partial<Record<EventProblem, 'number' | 'amount' | 'currency' | 'seller' | 'app' | 'provider'>> = {
  unknownOrder: 'number',
  otherProvider: 'provider',
  otherAmount: 'amount',
  otherCurrency: 'currency',
  otherSeller: 'seller',
  otherApp: 'app',
}

/** What was expected against what came. */
function Comparison({ event }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const { number, isKnown, ordered, seller, app, currency, problem, provider } = event
  const lines = [
    ['number', isKnown && number ? <PaymentLink number={number} /> : words('noSuchOrder'), number],
    ['amount', ordered && <Yuan of={ordered} />, cameText(event)],
    ['currency', 'CNY', currency],
    [
      'provider',
      problem === 'otherProvider' ? words('anotherProvider') : isKnown && words(`provider${provider}`),
      words(`provider${provider}`),
    ],
    ['seller', words('asSetUp'), seller],
    ['app', words('asSetUp'), app],
  ] as const
  return (
    <>
      <h2>{words('comparison')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th />
              <th>{words('expected')}</th>
              <th>{words('received')}</th>
            </tr>
          </thead>
          <tbody>
            {lines
              .filter(([, , came]) => came)
              .map(([name, expected, came]) => (
                <tr key={name} className={problem && lineOf[problem] === name ? css.differs : undefined}>
                  <th scope="row">{words(name)}</th>
                  <td>{expected || '–'}</td>
                  <td className={css.number}>{came}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** How it was settled, by whom and why. */
function Outcome({ event: { handledAt, handledBy, answer, creditedTo, transactionId, refund } }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  if (!handledBy && !transactionId && !refund) return null
  return (
    <>
      <h2>{words('outcome')}</h2>
      <Facts>
        {handledBy && <Fact label={words('settledBy')}>{handledBy}</Fact>}
        {handledAt && (
          <Fact label={words('settledAt')}>
            <At at={handledAt} />
          </Fact>
        )}
        {answer && <Fact label={words('reason')}>{answer}</Fact>}
        {creditedTo && (
          <Fact label={words('creditedTo')}>
            <Person of={creditedTo} />
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
      </Facts>
    </>
  )
}
