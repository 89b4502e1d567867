import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { askForRefund, withdrawRefund, type PaymentView } from '#payment/contract.ts'
import css from '#payment/web/payment.module.css'

/** Asks staff for a refund of a payment, or shows what became of it. */
export function RefundRequest({ payment: { number, refundRequest, canAskRefund } }: { payment: PaymentView }) {
  const words = useWords('payment')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {refundRequest?.state === 'waiting' && <Waiting number={number} askedAt={refundRequest.askedAt} />}
      {refundRequest?.state === 'declined' && (
        <p className="note">
          {words('refundDeclined')} {refundRequest.answer}
        </p>
      )}
      {canAskRefund && (
        <p className={css.actions}>
          <button type="button" className="button quiet" onClick={() => setOpen(true)}>
            {words('askRefund')}
          </button>
        </p>
      )}
      <Dialog title={words('askRefund')} isOpen={isOpen} close={() => setOpen(false)}>
        <AskForm number={number} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Waiting({ number, askedAt }: { number: string; askedAt: string }) {
  const words = useWords('payment')
  const { revalidate } = useRevalidator()
  return (
    <div className="note">
      <p>
        {words('refundAskedNote')} <Time at={askedAt} />
      </p>
      <Form
        endpoint={withdrawRefund}
        extra={{ number }}
        onSuccess={() => {
          toast(words('refundWithdrawn'))
          void revalidate()
        }}
      >
        <Submit>{words('withdrawRefund')}</Submit>
      </Form>
    </div>
  )
}

function AskForm({ number, onDone }: { number: string; onDone: () => void }) {
  const words = useWords('payment')
  const { revalidate } = useRevalidator()
  return (
    <Form
      endpoint={askForRefund}
      extra={{ number }}
      onSuccess={() => {
        onDone()
        toast(words('refundAskSent'))
        void revalidate()
      }}
    >
      <p>{words('askRefundWhat')}</p>
      <TextField name="reason" label={words('askRefundReason')} maxLength={500} rows={3} required data-first />
      <Submit>{words('sendRefundAsk')}</Submit>
    </Form>
  )
}
