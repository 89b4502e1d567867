import { useLoaderData, useSearchParams } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { PaymentLink, State, ZoneNote } from '#payment/admin/payment.tsx'
import { eventList, type EventView } from '#payment/staff-contract.ts'
import css from '#payment/admin/payment.module.css'

const tones = {
  new: 'wait',
  done: 'good',
  suspended: 'bad',
  credited: undefined,
  returned: undefined,
  booked: undefined,
  dismissed: undefined,
} as const

export function EventState({ of }: { of: EventView['state'] }) {
  const words = useWords('paymentAdmin')
  return <State word={words(`event${of}`)} tone={tones[of]} />
}

/** The events of providers. The menu links to the suspended ones. */
export function Page() {
  const words = useWords('paymentAdmin')
  const page = useLoaderData<Output<typeof eventList>>()
  const [query] = useSearchParams()
  const isWaiting = query.get('state') === 'suspended'
  return (
    <>
      <h1>{words('exceptions')}</h1>
      <p className="meta">{words('exceptionsWhat')}</p>
      <nav className={`tabs ${css.tabs}`} aria-label={words('exceptions')}>
        <Link to="/admin/payment/event?state=suspended" aria-current={isWaiting ? 'page' : undefined}>
          {words('toSettle')}
        </Link>
        <Link to="/admin/payment/event" aria-current={isWaiting ? undefined : 'page'}>
          {words('allEvents')}
        </Link>
      </nav>
      <StaffList of={eventList} page={page} cells={eventCells(words)} />
      <ZoneNote />
    </>
  )
}

function eventCells(words: Translate): CellsOf<typeof eventList> {
  const receivedOf = (row: EventView) => receivedText(row, words)
  return {
    receivedAt: {
      show: ({ id, receivedAt }) => (
        <Link to={`/admin/payment/event/view?eventId=${id}`}>
          <ExactTime at={receivedAt} />
        </Link>
      ),
    },
    number: {
      show: ({ number, isKnown }) => number && (isKnown ? <PaymentLink number={number} /> : <span className={css.number}>{number}</span>),
    },
    // A phone leaves out the label of an empty cell.
    amount: { text: receivedOf, show: (row) => receivedOf(row) && <span className={css.number}>{receivedOf(row)}</span> },
    state: { show: ({ state }) => <EventState of={state} /> },
  }
}

/** The received amount, in the currency that the provider named. Empty for an event that is not of money. */
export function receivedText({ kind, amount, currency }: Pick<EventView, 'kind' | 'amount' | 'currency'>, words: Translate): string {
  if (amount !== null) return [amount, currency].filter(Boolean).join(' ')
  return kind === 'closed' || kind === 'other' ? '' : words('amountNotTold')
}
