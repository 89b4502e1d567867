import { useState } from 'react'
import { useNavigate } from 'react-router'
import { internalPath } from '#base/return-path.ts'
import { useSubmission } from '#base/web/submission.ts'
import type { PaymentView, topUp } from '#payment/contract.ts'
import { paymentPath } from '#payment/web/paths.ts'

/** Navigates to where a new payment continues: the provider's page, or the page with its code. */
export function useContinue(): (payment: PaymentView) => Promise<void> {
  const navigate = useNavigate()
  return async ({ number, start }) => {
    if (start?.go === 'page' && internalPath(start.to)) return navigate(start.to)
    // A payer who goes back from the provider's page finds the payment instead of a form that begins another one.
    await navigate(paymentPath(number))
    if (start?.go === 'page') location.assign(start.to)
  }
}

type RetryProps = { payment: PaymentView; children: string }

/** Begins the same payment again with one tap. A refusal is shown beside the button. */
export function RetryPayment({ payment: { number, amount, provider, method, returnTo }, children }: RetryProps) {
  const [wrong, setWrong] = useState('')
  const goOn = useContinue()
  const { isBusy, submit } = useSubmission<typeof topUp>('/user/control/payment/add')

  async function begin(): Promise<void> {
    // What staff credited was begun by nobody.
    if (method === 'byHand') return
    setWrong('')
    const input = { amount, provider, method, ...(returnTo && { returnTo }) }
    await submit(input, { actionKey: number, onSuccess: goOn, onRefused: ({ message }) => setWrong(message) })
  }

  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={isBusy || undefined}
        data-busy={isBusy || undefined}
        onClick={() => void begin()}
      >
        {children}
      </button>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}
