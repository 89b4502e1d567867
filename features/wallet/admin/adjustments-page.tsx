import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { say } from '#base/web/toast.tsx'
import { useLanguage, useWords, type Say } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { adjustments, adjustmentStates, declineAdjustment, type AdjustmentView, type approveAdjustment } from '#wallet/adjust-contract.ts'
import { Amount, amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/admin/wallet.module.css'

export function Page() {
  const words = useWords('walletAdmin')
  const page = useLoaderData<Output<typeof adjustments>>()
  const [declining, decline] = useState<AdjustmentView | null>(null)
  return (
    <>
      <h1>{words('adjustments')}</h1>
      <p className="meta">{words('adjustmentsWhat')}</p>
      <List
        of={adjustments}
        page={page}
        columns={columnsIn(words, decline)}
        filters={
          <Filters>
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('anyState')}
              options={adjustmentStates.map((state) => [state, words(state)])}
            />
            <FilterPerson
              name="member"
              label={words('member')}
              shown={page.rows.map(({ member }) => member)}
              mayFind={mayDo('member.view')}
            />
            <FilterText name="account" label={words('askedBy')} />
          </Filters>
        }
      />
      <Dialog title={words(declining?.isMine ? 'withdrawTitle' : 'declineTitle')} isOpen={declining !== null} close={() => decline(null)}>
        {declining && <Declining adjustment={declining} done={() => decline(null)} />}
      </Dialog>
    </>
  )
}

function columnsIn(words: Say, decline: (adjustment: AdjustmentView) => void): Column<AdjustmentView>[] {
  return [
    {
      name: 'member',
      label: words('member'),
      show: ({ member }) => <Link to={`/admin/wallet/member?memberId=${member.id}`}>{member.name}</Link>,
      text: ({ member }) => member.name,
    },
    {
      name: 'amount',
      label: words('amount'),
      show: ({ amount, currency }) => (
        <>
          <Amount of={amount} currency={currency} isMove />
          {currency === 'points' && ` ${words('points')}`}
        </>
      ),
      text: ({ amount, currency }) => `${amount} ${words(currency)}`,
    },
    { name: 'reason', label: words('reason'), show: ({ reason }) => reason, text: ({ reason }) => reason },
    { name: 'by', label: words('askedBy'), show: ({ askedBy }) => askedBy, text: ({ askedBy }) => askedBy },
    { name: 'asked', label: words('at'), show: ({ askedAt }) => <Time at={askedAt} />, text: ({ askedAt }) => askedAt },
    {
      name: 'state',
      label: words('state'),
      show: (row) => <State row={row} decline={() => decline(row)} />,
      text: ({ state, decidedBy }) => [words(state), decidedBy].filter(Boolean).join(' '),
    },
  ]
}

function State({ row, decline }: { row: AdjustmentView; decline: () => void }) {
  const words = useWords('walletAdmin')
  if (row.state === 'waiting') return <Deciding row={row} decline={decline} />
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

/** Another than who asked agrees or not; who asked takes it back. */
function Deciding({ row, decline }: { row: AdjustmentView; decline: () => void }) {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  const approve = useDeed<typeof approveAdjustment>('/admin/wallet/adjustment/approve')
  if (!mayDo('wallet.adjust')) return words('waiting')

  async function agree(): Promise<void> {
    const question = words('approveAsk', { name: row.member.name, amount: amountText(row.amount, row.currency, language, true) })
    if (await confirm(question, words('approve'))) await approve.go({ adjustmentId: row.id }, { done: words('adjusted') })
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

function Declining({ adjustment: { id, isMine }, done }: { adjustment: AdjustmentView; done: () => void }) {
  const words = useWords('walletAdmin')
  return (
    <Form
      sends={declineAdjustment}
      along={{ adjustmentId: id }}
      then={() => {
        done()
        say(words('decided'))
      }}
    >
      <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required data-first />
      <Submit danger>{words(isMine ? 'withdraw' : 'decline')}</Submit>
    </Form>
  )
}
