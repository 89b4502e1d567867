import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Person, Yuan } from '#payment/admin/payment.tsx'
import css from '#payment/admin/payment.module.css'
import { sandboxMoney, takeBackSandboxMoney, type SandboxMoneyView } from '#payment/sandbox-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { amountText } from '#wallet/web/wallet.tsx'

/** Members whose balance comes from a trial of the site. */
export function Page() {
  const words = useWords('paymentAdmin')
  const page = useLoaderData<Output<typeof sandboxMoney>>()
  const rows = page.rows.map((row) => ({ ...row, id: row.member.id }))
  const [chosen, choose] = useState<SandboxMoneyView | null>(null)
  return (
    <>
      <h1>{words('sandboxMoney')}</h1>
      <p className="meta">{words('sandboxMoneyWhat')}</p>
      <p>
        <Link to="/admin/payment">{words('payments')}</Link>
      </p>
      <List of={sandboxMoney} page={{ ...page, rows }} columns={useColumns(choose)} />
      <Dialog title={words('takeBackTitle', { name: chosen?.member.name ?? '' })} isOpen={chosen !== null} close={() => choose(null)}>
        {chosen && <TakeBackForm of={chosen} onDone={() => choose(null)} />}
      </Dialog>
    </>
  )
}

type Row = SandboxMoneyView & { id: string }

function useColumns(choose: (row: Row) => void): Column<Row>[] {
  const words = useWords('paymentAdmin')
  return [
    { name: 'member', label: words('member'), show: ({ member }) => <Person of={member} />, text: ({ member }) => member.name },
    { name: 'credited', label: words('sandboxCredited'), show: ({ credited }) => <Yuan of={credited} />, text: ({ credited }) => credited },
    { name: 'spent', label: words('sandboxSpent'), show: ({ spent }) => <Yuan of={spent} />, text: ({ spent }) => spent },
    { name: 'balance', label: words('sandboxBalance'), show: ({ balance }) => <Yuan of={balance} />, text: ({ balance }) => balance },
    {
      name: 'takeBack',
      label: words('takeBack'),
      show: (row) => <TakeBackState row={row} choose={() => choose(row)} />,
      text: ({ waiting }) => waiting,
    },
  ]
}

function TakeBackState({ row: { waiting, credited, isOwn }, choose }: { row: SandboxMoneyView; choose: () => void }) {
  const words = useWords('paymentAdmin')
  const language = useLanguage()
  return (
    <div className={css.standing}>
      {waiting !== credited && !isOwn && mayDo('payment.refund') && (
        <button type="button" className="button quiet" onClick={choose}>
          {words('takeBack')}
        </button>
      )}
      {Number(waiting) > 0 && (
        <Link to="/admin/money-request?state=waiting">{words('takeBackWaits', { amount: amountText(waiting, 'cny', language) })}</Link>
      )}
    </div>
  )
}

function TakeBackForm({ of: { member, credited, spent }, onDone }: { of: SandboxMoneyView; onDone: () => void }) {
  const words = useWords('paymentAdmin')
  const language = useLanguage()
  const format = (yuan: string) => amountText(yuan, 'cny', language)
  return (
    <Form
      endpoint={takeBackSandboxMoney}
      extra={{ memberId: member.id }}
      onSuccess={({ taken, waiting }) => {
        onDone()
        toast(
          Number(waiting) > 0
            ? words('takenBackPartly', { taken: format(taken), waiting: format(waiting) })
            : words('takenBack', { taken: format(taken) }),
        )
      }}
    >
      <p>
        {words('takeBackWhat', { credited: format(credited) })}{' '}
        {Number(spent) > 0 && words('takeBackOwes', { name: member.name, spent: format(spent) })}
      </p>
      <TextField name="reason" label={words('reason')} help={words('refundReasonRead')} maxLength={500} rows={2} required data-first />
      <Submit danger>{words('takeBack')}</Submit>
    </Form>
  )
}
