import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { StaffList, Yuan, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { ReconciliationTabs } from '#reconciliation/admin/reconciliation-tabs.tsx'
import { PaymentLink, State, ZoneNote } from '#payment/admin/payment.tsx'
import { differenceList, settleDifference, type DifferenceView } from '#reconciliation/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#reconciliation/admin/reconciliation.module.css'

const tones = { open: 'bad', settled: 'good', cleared: 'good' } as const

export function Page() {
  const words = useWords('reconciliationAdmin')
  const page = useLoaderData<Output<typeof differenceList>>()
  const [query] = useSearchParams()
  const [settling, settle] = useState<DifferenceView | null>(null)
  return (
    <>
      <ReconciliationTabs />
      {query.get('statement') && (
        <p className="note">
          {words('ofOneStatement')} <Link to="/admin/payment/difference">{words('allDifferences')}</Link>
        </p>
      )}
      <StaffList of={differenceList} page={page} cells={differenceCells(words, settle)} filterFields={{ statement: false }} />
      <ZoneNote />
      <Dialog title={words('settleTitle', { number: settling?.number ?? '' })} isOpen={settling !== null} close={() => settle(null)}>
        {settling && <SettleForm difference={settling} onDone={() => settle(null)} />}
      </Dialog>
    </>
  )
}

function differenceCells(words: Translate, settle: (difference: DifferenceView) => void): CellsOf<typeof differenceList> {
  return {
    day: { show: ({ day }) => <span className={css.number}>{day}</span> },
    number: { show: ({ number, paymentNumber }) => <Numbers number={number} paymentNumber={paymentNumber} /> },
    here: { show: ({ here }) => <Yuan of={here} /> },
    there: { show: ({ there }) => <Yuan of={there} /> },
    state: {
      show: (row) => <DifferenceState row={row} settle={() => settle(row)} />,
      text: ({ state, answer }) => [words(`difference${state}`), answer].filter(Boolean).join(' '),
    },
  }
}

function Numbers({ number, paymentNumber }: Pick<DifferenceView, 'number' | 'paymentNumber'>) {
  const words = useWords('reconciliationAdmin')
  if (paymentNumber === number) return <PaymentLink number={number} />
  return (
    <>
      <span className={css.number}>{number}</span>
      {paymentNumber && (
        <div className="meta">
          {words('ofPayment')} <PaymentLink number={paymentNumber} />
        </div>
      )}
    </>
  )
}

function DifferenceState({
  row: { kind, state, eventId, settledAt, settledBy, answer },
  settle,
}: {
  row: DifferenceView
  settle: () => void
}) {
  const words = useWords('reconciliationAdmin')
  return (
    <>
      <div className={css.standing}>
        <State word={words(`difference${state}`)} tone={tones[state]} />
        {eventId !== null && (
          <Link to={`/admin/payment/event/view?eventId=${eventId}`} className="button quiet">
            {words(kind === 'disputeNotHere' ? 'bookDispute' : 'bookRefund')}
          </Link>
        )}
        {state === 'open' && mayDo('payment.refund') && (
          <button type="button" className="button quiet" onClick={settle}>
            {words('settle')}
          </button>
        )}
      </div>
      {answer && <div>{answer}</div>}
      {settledAt && (
        <div className="meta">
          {settledBy} <ExactTime at={settledAt} />
        </div>
      )}
    </>
  )
}

function SettleForm({ difference: { id, kind }, onDone }: { difference: DifferenceView; onDone: () => void }) {
  const words = useWords('reconciliationAdmin')
  return (
    <Form
      endpoint={settleDifference}
      extra={{ differenceId: id }}
      onSuccess={() => {
        onDone()
        toast(words('settled'))
      }}
    >
      <p>
        {words(`differs${kind}`)}. {words('settleWhat')}
      </p>
      <TextField name="reason" label={words('settleAnswer')} help={words('reasonForLog')} maxLength={500} rows={2} required data-first />
      <Submit>{words('settle')}</Submit>
    </Form>
  )
}
