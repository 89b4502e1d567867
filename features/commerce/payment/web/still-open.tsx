import { useNavigate, useRevalidator } from 'react-router'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { QrCode } from '#base/web/qr-code.tsx'
import { useWords } from '#base/web/words.tsx'
import type { cancelPayment, PaymentView } from '#payment/contract.ts'
import { retryPath, continuePath, sandboxPath } from '#payment/web/paths.ts'
import { RetryPayment } from '#payment/web/retry.tsx'
import { useSecondsLeft } from '#payment/web/watch.ts'
import { placeWords, providerWords } from '#payment/web/word-keys.ts'
import css from '#payment/web/payment.module.css'

type OpenProps = { payment: PaymentView; /** The payer returned from the provider, whose event is on its way. */ hasReturned: boolean }

/** The next step of an open payment: a QR code, a link to the provider's page, or a note to wait. */
export function StillOpen({ payment, hasReturned }: OpenProps) {
  const words = useWords('payment')
  const isOver = useSecondsLeft(payment.expiresAt) === 0
  const { start, isOff, provider } = payment
  const isShut = start === null
  return (
    <>
      {hasReturned && <p>{words('waitingWhat')}</p>}
      {isOff && <p className="note">{words('wayOff', { provider: words(providerWords[provider]) })}</p>}
      {isShut && !isOff && <p className="note">{words('cannotContinue')}</p>}
      {!hasReturned && !isOver && <NextStep payment={payment} />}
      <p className="meta">
        <Countdown until={payment.expiresAt} />
      </p>
      <div className={css.actions}>
        {isOver && !isOff && !hasReturned && (
          <RetryPayment payment={payment}>{words(start?.go === 'qr' ? 'newCode' : 'again')}</RetryPayment>
        )}
        {hasReturned && start && !isOver && (
          <Link to={continuePath(payment)} className="button quiet">
            {words('continue')}
          </Link>
        )}
        <OtherMethod payment={payment} />
        <Cancel payment={payment} />
      </div>
    </>
  )
}

function OtherMethod({ payment }: { payment: PaymentView }) {
  const words = useWords('payment')
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const cancel = useAction<typeof cancelPayment>('/user/control/payment/cancel')

  async function go(): Promise<void> {
    if (!(await confirm(words('cancelAsk'), words('anotherWay'), 'takes', words('keepOpen')))) return
    const done = await cancel.run({ number: payment.number }, { onSuccess: () => navigate(retryPath(payment)) })
    // The payment may have been paid or closed meanwhile.
    if (!done) await revalidate()
  }

  return (
    <button type="button" className="button quiet" disabled={cancel.isBusy} onClick={() => void go()}>
      {words('anotherWay')}
    </button>
  )
}

function NextStep({ payment: { start, provider, number, method } }: { payment: PaymentView }) {
  const words = useWords('payment')
  const name = words(providerWords[provider])
  if (!start) return null
  if (start.go === 'page')
    return (
      <>
        <p>
          <Link to={start.to} className="button">
            {words('continueAt', { provider: words(placeWords[provider]) })}
          </Link>
        </p>
        {provider !== 'sandbox' && <p>{words(method === 'phone' ? 'opensApp' : 'comeBack', { provider: name })}</p>}
      </>
    )
  return (
    <div className={css.scan}>
      <QrCode text={start.to} label={words('codeLabel', { provider: name })} />
      <p>{words(provider === 'sandbox' ? 'scanSandbox' : 'scan', { provider: name })}</p>
      {provider === 'sandbox' && (
        <Link to={sandboxPath(number)} className="button">
          {words('openSandbox')}
        </Link>
      )}
    </div>
  )
}

/** A countdown to the end of an open payment. Screen readers announce only the end time. */
export function Countdown({ until }: { until: string }) {
  const words = useWords('payment')
  const seconds = useSecondsLeft(until)
  if (seconds === 0) return <span role="status">{words('timeOver')}</span>
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return <span role="timer">{words('timeLeft', { clock })}</span>
}

export function Cancel({ payment: { number }, label }: { payment: PaymentView; label?: string }) {
  const words = useWords('payment')
  const { revalidate } = useRevalidator()
  const cancel = useAction<typeof cancelPayment>('/user/control/payment/cancel')

  async function end(): Promise<void> {
    if (!(await confirm(words('cancelAsk'), words('cancel'), 'takes', words('keepOpen')))) return
    const done = await cancel.run({ number }, { message: words('cancelled') })
    // The payment may have been paid or closed meanwhile.
    if (!done) await revalidate()
  }

  return (
    <button type="button" className="button quiet" aria-label={label} disabled={cancel.isBusy} onClick={() => void end()}>
      {words('cancel')}
    </button>
  )
}
