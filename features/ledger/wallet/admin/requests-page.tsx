import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { declineRequest, moneyRequests, type approveRequest, type RequestView } from '#wallet/request-contract.ts'
import { Sums } from '#wallet/admin/cells.tsx'
import { RequestSummary, requestSummary } from '#wallet/admin/request-summary.tsx'
import css from '#wallet/admin/wallet.module.css'

export function Page() {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  const page = useLoaderData<Output<typeof moneyRequests>>()
  const [declining, decline] = useState<RequestView | null>(null)
  return (
    <>
      <h1>{words('requests')}</h1>
      <p className="meta">{words('requestsWhat')}</p>
      <StaffList
        of={moneyRequests}
        page={page}
        cells={requestCells(words, language, decline)}
        people={page.rows.map(({ member }) => member)}
      />
      <Dialog title={words(declining?.isMine ? 'withdrawTitle' : 'declineTitle')} isOpen={declining !== null} close={() => decline(null)}>
        {declining && <DeclineForm request={declining} onDone={() => decline(null)} />}
      </Dialog>
    </>
  )
}

function requestCells(words: Translate, language: string, decline: (request: RequestView) => void): CellsOf<typeof moneyRequests> {
  return {
    kind: { show: (row) => <RequestSummary row={row} />, text: (row) => requestSummary(row, words, language) },
    amounts: {
      show: (row) => <Sums row={{ sums: row.amounts }} isMove={row.kind === 'adjustment'} />,
      text: ({ amounts }) => amounts.map(({ amount, currency }) => `${amount} ${words(currency)}`).join(', '),
    },
    reason: { show: ({ reason }) => <div className={css.reason}>{reason}</div> },
    state: {
      show: (row) => <State row={row} decline={() => decline(row)} />,
      text: ({ state, decidedBy }) => [words(state), decidedBy].filter(Boolean).join(' '),
    },
  }
}

function State({ row, decline }: { row: RequestView; decline: () => void }) {
  const words = useWords('walletAdmin')
  if (row.state === 'waiting') return <Decision row={row} decline={decline} />
  return (
    <>
      {row.transactionId ? (
        <Link to={`/admin/wallet/transaction?transactionId=${row.transactionId}`}>{words('done')}</Link>
      ) : (
        words(row.state)
      )}
      {row.decidedBy && <span className="meta"> · {words(row.state === 'done' ? 'doneBy' : 'declinedBy', { name: row.decidedBy })}</span>}
      {row.answer && <span className="meta"> · {row.answer}</span>}
    </>
  )
}

/** Another member of staff decides; the requester can withdraw. */
function Decision({ row, decline }: { row: RequestView; decline: () => void }) {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  const approve = useAction<typeof approveRequest>('/admin/wallet/request/approve')
  if (!row.mayDecide && !row.isMine) return words('waiting')

  async function agree(): Promise<void> {
    const question = words('approveAsk', { what: requestSummary(row, words, language, true) })
    if (await confirm(question, words('approve'))) await approve.run({ requestId: row.id }, { message: words('executed') })
  }

  return (
    <div className={css.deciding}>
      {words('waiting')}
      {!row.isMine && !row.isOfMe && (
        <button type="button" className="button quiet" disabled={approve.isBusy} onClick={() => void agree()}>
          {words('approve')}
        </button>
      )}
      <button type="button" className="plain" onClick={decline}>
        {words(row.isMine ? 'withdraw' : 'decline')}
      </button>
    </div>
  )
}

function DeclineForm({ request: { id, isMine }, onDone }: { request: RequestView; onDone: () => void }) {
  const words = useWords('walletAdmin')
  return (
    <Form
      endpoint={declineRequest}
      extra={{ requestId: id }}
      onSuccess={() => {
        onDone()
        toast(words('decided'))
      }}
    >
      <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required data-first />
      <Submit danger>{words(isMine ? 'withdraw' : 'decline')}</Submit>
    </Form>
  )
}
