import { useLoaderData } from 'react-router'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { envelopeKinds, envelopeStates } from '#red-envelope/contract.ts'
import { noteEnvelopeExport, staffEnvelopes, type StaffEnvelopeView, type staffEnvelopeTotals } from '#red-envelope/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { currencies, type Currency } from '#wallet/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

export type Envelopes = { page: Output<typeof staffEnvelopes>; totals: Output<typeof staffEnvelopeTotals> }

export function Page() {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const { page, totals } = useLoaderData<Envelopes>()
  return (
    <>
      <h1>{words('envelopes')}</h1>
      <List
        of={staffEnvelopes}
        exporting={noteEnvelopeExport}
        page={page}
        columns={columnsIn(words, language)}
        filters={
          <>
            <EnvelopeFilters rows={page.rows} />
            {totals.count > 0 && <Totals totals={totals} />}
          </>
        }
      />
    </>
  )
}

/** Totals over all results of the filter, not only this page. */
function Totals({ totals: { count, given, opened, returned } }: Pick<Envelopes, 'totals'>) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const sum = ({ points, cash }: typeof given) =>
    [points !== '0' && amountIn(points, 'points', words, language), Number(cash) > 0 && amountIn(cash, 'cny', words, language)]
      .filter(Boolean)
      .join(' + ') || '0'
  const all = [
    [words('sumCount'), words('count', { count })],
    [words('sumGiven'), sum(given)],
    [words('sumOpened'), sum(opened)],
    [words('sumReturned'), sum(returned)],
  ] as const
  return (
    <dl className={facts.totals}>
      {all.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function EnvelopeFilters({ rows }: { rows: readonly StaffEnvelopeView[] }) {
  const words = useWords('redEnvelopeAdmin')
  const people = rows.flatMap(({ giver, receiver }) => (receiver ? [giver, receiver] : [giver]))
  return (
    <Filters>
      <FilterPerson name="giver" label={words('giver')} members={people} />
      <FilterPerson name="opener" label={words('opener')} members={people} />
      <FilterText name="topic" label={words('topicId')} />
      <FilterChoice
        name="kind"
        label={words('kind')}
        any={words('anyKind')}
        options={envelopeKinds.map((kind) => [kind, words(kindWords[kind])])}
      />
      <FilterChoice
        name="state"
        label={words('state')}
        any={words('anyState')}
        options={envelopeStates.map((state) => [state, words(stateWords[state])])}
      />
      <FilterChoice
        name="currency"
        label={words('currency')}
        any={words('anyCurrency')}
        options={currencies.map((currency) => [currency, words(currency === 'points' ? 'inPoints' : 'inCash')])}
      />
      <FilterDay name="from" label={words('from')} />
      <FilterDay name="until" label={words('until')} />
    </Filters>
  )
}

export const kindWords = { random: 'kindRandom', fixed: 'kindFixed', targeted: 'kindTargeted' } as const
export const stateWords = {
  waiting: 'stateWaiting',
  open: 'stateOpen',
  taken: 'stateTaken',
  returned: 'stateReturned',
  dropped: 'stateDropped',
} as const

export function amountIn(amount: string, currency: Currency, words: Translate, language: string): string {
  return currency === 'points' ? words('points', { points: Number(amount) }) : amountText(amount, currency, language)
}

function columnsIn(words: Translate, language: string): Column<StaffEnvelopeView>[] {
  return [
    {
      name: 'id',
      label: words('number'),
      show: ({ id }) => <Link to={`/admin/redEnvelope/view?envelopeId=${id}`}>{id}</Link>,
      text: ({ id }) => id,
    },
    { name: 'at', label: words('at'), time: ({ at }) => at },
    { name: 'giver', label: words('giver'), show: ({ giver }) => <Person of={giver} />, text: ({ giver }) => giver.name },
    { name: 'kind', label: words('kind'), text: ({ kind }) => words(kindWords[kind]) },
    amountColumn('amount', words('amount'), words, language),
    { name: 'taken', label: words('opened'), text: ({ taken, quantity }) => `${taken}/${quantity}` },
    { name: 'state', label: words('state'), text: ({ state }) => words(stateWords[state]) },
    {
      name: 'topic',
      label: words('topic'),
      show: ({ topic, isInMessage }) => (topic ? <TopicLink of={topic} /> : isInMessage && words('inMessage')),
      text: ({ topic, isInMessage }) => topic?.title ?? (isInMessage ? words('inMessage') : ''),
    },
    ...extrasIn(words, language),
  ]
}

function extrasIn(words: Translate, language: string): Column<StaffEnvelopeView>[] {
  return [
    { ...amountColumn('takenAmount', words('openedAmount'), words, language), isExtra: true },
    { ...amountColumn('returned', words('returned'), words, language), isExtra: true },
    {
      name: 'receiver',
      label: words('receiver'),
      show: ({ receiver }) => receiver && <Person of={receiver} />,
      text: ({ receiver }) => receiver?.name,
      isExtra: true,
    },
    { name: 'ends', label: words('ends'), time: ({ endsAt }) => endsAt, isExtra: true },
  ]
}

function amountColumn(
  name: 'amount' | 'takenAmount' | 'returned',
  label: string,
  words: Translate,
  language: string,
): Column<StaffEnvelopeView> {
  const text = (row: StaffEnvelopeView) => amountIn(row[name], row.currency, words, language)
  return { name, label, text }
}

export function Person({ of: { id, name } }: { of: StaffEnvelopeView['giver'] }) {
  return mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${id}`}>{name}</Link> : name
}

export function TopicLink({ of: { id, title, commentId } }: { of: NonNullable<StaffEnvelopeView['topic']> }) {
  const comment = commentId === null ? '' : `&commentId=${commentId}#comment-${commentId}`
  return mayDo('content.view') ? <Link to={`/admin/topic/view?topicId=${id}${comment}`}>{title}</Link> : title
}
