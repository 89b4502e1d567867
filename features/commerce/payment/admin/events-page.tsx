import { useLoaderData, useSearchParams } from 'react-router'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { At, PaymentLink, ProviderFilter, State, useFileTime, ZoneNote } from '#payment/admin/payment.tsx'
import { eventList } from '#payment/event-contract.ts'
import { eventKinds, eventProblems, eventStates, type EventView } from '#payment/staff-views.ts'
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
  const columns = useColumns()
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
      <List of={eventList} page={page} columns={columns} filters={<EventFilters />} />
      <ZoneNote />
    </>
  )
}

function EventFilters() {
  const words = useWords('paymentAdmin')
  return (
    <Filters>
      <FilterChoice
        name="state"
        label={words('state')}
        any={words('anyState')}
        options={eventStates.map((state) => [state, words(`event${state}`)])}
      />
      <FilterChoice
        name="problem"
        label={words('problem')}
        any={words('anyProblem')}
        options={eventProblems.map((problem) => [problem, words(`problem${problem}`)])}
      />
      <FilterChoice
        name="kind"
        label={words('kind')}
        any={words('anyKind')}
        options={eventKinds.map((kind) => [kind, words(`kind${kind}`)])}
      />
      <ProviderFilter />
      <FilterText name="number" label={words('number')} />
    </Filters>
  )
}

function useColumns(): Column<EventView>[] {
  const words = useWords('paymentAdmin')
  const time = useFileTime()
  const problemOf = ({ problem }: EventView) => (problem ? words(`problem${problem}`) : '')
  const receivedOf = (row: EventView) => receivedText(row, words)
  return [
    {
      name: 'received',
      label: words('receivedAt'),
      show: ({ id, receivedAt }) => (
        <Link to={`/admin/payment/event/view?eventId=${id}`}>
          <At at={receivedAt} />
        </Link>
      ),
      text: ({ receivedAt }) => time(receivedAt),
    },
    { name: 'kind', label: words('kind'), text: ({ kind }) => words(`kind${kind}`) },
    { name: 'problem', label: words('problem'), text: problemOf },
    {
      name: 'number',
      label: words('number'),
      show: ({ number, isKnown }) => number && (isKnown ? <PaymentLink number={number} /> : <span className={css.number}>{number}</span>),
      text: ({ number }) => number,
    },
    {
      name: 'amount',
      label: words('amount'),
      // A phone leaves out the label of an empty cell.
      show: (row) => receivedOf(row) && <span className={css.number}>{receivedOf(row)}</span>,
      text: receivedOf,
    },
    { name: 'provider', label: words('provider'), text: ({ provider }) => words(`provider${provider}`) },
    {
      name: 'state',
      label: words('state'),
      show: ({ state }) => <EventState of={state} />,
      text: ({ state }) => words(`event${state}`),
    },
  ]
}

/** The received amount, in the currency that the provider named. Empty for an event that is not of money. */
export function receivedText({ kind, amount, currency }: Pick<EventView, 'kind' | 'amount' | 'currency'>, words: Translate): string {
  if (amount !== null) return [amount, currency].filter(Boolean).join(' ')
  return kind === 'closed' || kind === 'other' ? '' : words('amountNotTold')
}
