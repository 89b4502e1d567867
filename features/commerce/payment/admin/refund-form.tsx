import { useState } from 'react'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Limits, Payment } from '#payment/admin/views.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

type RefundFormProps = { payment: Payment; limits: Limits | null; onDone: () => void }

export function RefundForm({ payment: { number, refundable, balance, member }, limits, onDone }: RefundFormProps) {
  const words = useWords('paymentAdmin')
  const language = useLanguage()
  const [amount, type] = useState(refundable)
  const format = (yuan: string) => amountText(yuan, 'cny', language)
  const isShort = Number(amount) > Number(balance)
  return (
    <Form
      endpoint={refundPayment}
      extra={{ number }}
      onSuccess={({ isWaiting }) => {
        onDone()
        toast(words(isWaiting ? 'refundAsked' : 'refundBegun'))
      }}
    >
      <p>{words('refundWhat', { name: member.name })}</p>
      <Field
        name="amount"
        label={words('refundAmount')}
        help={words('refundMost', { most: format(refundable) })}
        value={amount}
        onChange={({ target }) => type(target.value)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={13}
        required
        data-first
      />
      <p className="meta" role="status">
        {limits
          ? words(Number(amount) > Number(limits.alone) ? 'refundNeedsTwo' : 'refundLimits', {
              alone: format(limits.alone),
              aloneADay: format(limits.aloneADay),
            })
          : words('refundMayNeedTwo')}
      </p>
      <Field
        type="checkbox"
        name="mayOwe"
        label={words('mayOwe')}
        help={words(isShort ? 'mayOweShort' : 'mayOweEnough', { name: member.name, has: format(balance) })}
      />
      <TextField name="reason" label={words('reason')} help={words('refundReasonRead')} maxLength={500} rows={2} required />
      <Submit danger>{words('refund')}</Submit>
    </Form>
  )
}
