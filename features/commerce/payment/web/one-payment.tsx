import { internalPath } from '#base/return-path.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PaymentView } from '#payment/contract.ts'
import { retryPath } from '#payment/web/paths.ts'
import { Receipt } from '#payment/web/receipt.tsx'
import { RefundRequest } from '#payment/web/refund-request.tsx'
import { RetryPayment } from '#payment/web/retry.tsx'
import { StillOpen } from '#payment/web/still-open.tsx'
import { TestMode } from '#payment/web/test-mode.tsx'
import { useWatch } from '#payment/web/watch.ts'
import { placeWords, providerWords } from '#payment/web/word-keys.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

const stateWords = { open: 'stateOpen', waiting: 'stateWaiting', paid: 'statePaid', closed: 'stateClosed' } as const

type OneProps = {
  payment: PaymentView
  /** Null if the site has no balances any more. */
  balance: string | null
  hasReturned?: boolean
}

/** One payment, watched until it ends; then its result, and links onward. */
export function OnePayment({ payment, balance, hasReturned = false }: OneProps) {
  const words = useWords('payment')
  const language = useLanguage()
  useWatch(payment)
  const { state, provider } = payment
  const amount = amountText(payment.amount, 'cny', language)
  const displayState = state === 'open' ? (hasReturned ? 'waiting' : 'open') : state
  return (
    <>
      {provider === 'sandbox' && <TestMode />}
      <p role="status" className={css.state} data-state={displayState}>
        {words(stateWords[displayState], { amount, provider: words((displayState === 'waiting' ? placeWords : providerWords)[provider]) })}
      </p>
      {state === 'open' && <StillOpen key={payment.number} payment={payment} hasReturned={hasReturned} />}
      {state === 'closed' && <Closed payment={payment} />}
      {state === 'paid' && <Paid payment={payment} balance={balance} />}
    </>
  )
}

function Closed({ payment }: { payment: PaymentView }) {
  const words = useWords('payment')
  return (
    <>
      <p>{words('closedWhat', { provider: words(placeWords[payment.provider]) })}</p>
      <div className={css.actions}>
        <RetryPayment payment={payment}>{words('again')}</RetryPayment>
        <Link to={retryPath(payment)} className="button quiet">
          {words('anotherWay')}
        </Link>
        <Link to="/user/control/balance" className="button quiet">
          {words('toBalance')}
        </Link>
      </div>
    </>
  )
}

function Paid({ payment, balance }: Omit<OneProps, 'hasReturned'>) {
  const words = useWords('payment')
  const language = useLanguage()
  const back = internalPath(payment.returnTo)
  return (
    <>
      {balance !== null && <p className={css.now}>{words('newBalance', { balance: amountText(balance, 'cny', language) })}</p>}
      <p className={css.actions}>
        {back && (
          <Link to={back} className="button">
            {words('back')}
          </Link>
        )}
        <Link to="/user/control/balance" className={back ? 'button quiet' : 'button'}>
          {words('toBalance')}
        </Link>
      </p>
      <Receipt payment={payment} />
      <RefundRequest payment={payment} />
    </>
  )
}
