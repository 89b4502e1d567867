import { useLoaderData } from 'react-router'
import { PersonLink, StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { noteEnvelopeExport, staffEnvelopes, type StaffEnvelopeView, type staffEnvelopeTotals } from '#red-envelope/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { Currency } from '#wallet/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

export type Envelopes = { page: Output<typeof staffEnvelopes>; totals: Output<typeof staffEnvelopeTotals> }

export function Page() {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const { page, totals } = useLoaderData<Envelopes>()
  return (
    <>
      <h1>{words('envelopes')}</h1>
      <StaffList
        of={staffEnvelopes}
        page={page}
        cells={envelopeCells(words, language)}
        people={page.rows.flatMap(({ giver, receiver }) => [giver, receiver])}
        exporting={noteEnvelopeExport}
      >
        {totals.count > 0 && <Totals totals={totals} />}
      </StaffList>
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

export function amountIn(amount: string, currency: Currency, words: Translate, language: string): string {
  return currency === 'points' ? words('points', { points: Number(amount) }) : amountText(amount, currency, language)
}

function envelopeCells(words: Translate, language: string): CellsOf<typeof staffEnvelopes> {
  const amount = (name: 'amount' | 'takenAmount' | 'returned') => ({
    text: (row: StaffEnvelopeView) => amountIn(row[name], row.currency, words, language),
  })
  return {
    id: { show: ({ id }) => <Link to={`/admin/redEnvelope/view?envelopeId=${id}`}>{id}</Link> },
    amount: amount('amount'),
    taken: { text: ({ taken, quantity }) => `${taken}/${quantity}` },
    topic: {
      show: ({ topic, isInMessage }) => (topic ? <TopicLink of={topic} /> : isInMessage && words('inMessage')),
      text: ({ topic, isInMessage }) => topic?.title ?? (isInMessage ? words('inMessage') : ''),
    },
    takenAmount: amount('takenAmount'),
    returned: amount('returned'),
    receiver: { show: ({ receiver }) => receiver && <PersonLink of={receiver} /> },
  }
}

export function TopicLink({ of: { id, title, commentId } }: { of: NonNullable<StaffEnvelopeView['topic']> }) {
  const comment = commentId === null ? '' : `&commentId=${commentId}#comment-${commentId}`
  return mayDo('content.view') ? <Link to={`/admin/topic/view?topicId=${id}${comment}`}>{title}</Link> : title
}
