import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { PersonLink, Yuan } from '#base/admin/staff-list.tsx'
import { LogLink } from '#audit/admin/audit.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { Head } from '#base/admin/head.tsx'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { clock } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { PaymentState, optionText } from '#payment/admin/payment-columns.tsx'
import { PaymentDisputes, PaymentRefunds, Timeline } from '#payment/admin/payment-history.tsx'
import { RefundForm } from '#payment/admin/refund-form.tsx'
import { RefundRequest } from '#payment/admin/refund-requests.tsx'
import { Fact, Facts, TransactionLink, ZoneNote } from '#payment/admin/payment.tsx'
import type { Limits, Payment } from '#payment/admin/views.ts'
import type { askProvider } from '#payment/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#payment/admin/payment.module.css'

export function Page() {
  const words = useWords('paymentAdmin')
  const { payment, limits } = useLoaderData<{ payment: Payment; limits: Limits | null }>()
  usePolling(useIsMoving(payment))
  const name = words('paymentCalled', { number: payment.number })
  return (
    <>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogLink about={`payment ${payment.number}`} />
        </Menu>
      </Head>
      <Notes payment={payment} />
      <PaymentFacts payment={payment} />
      {payment.refundRequest && <RefundRequest request={payment.refundRequest} />}
      <Actions payment={payment} limits={limits} />
      <Timeline payment={payment} />
      <PaymentRefunds refunds={payment.refunds} />
      <PaymentDisputes disputes={payment.disputes} />
      <ZoneNote />
    </>
  )
}

const soonMs = 120_000

/** Whether a new event is unprocessed, or a refund was requested just now. */
function useIsMoving({ events, refunds }: Payment): boolean {
  const now = clock.use() ?? 0
  return (
    events.some(({ state }) => state === 'new') ||
    refunds.some(({ state, askedAt }) => state === 'asked' && now - Date.parse(askedAt) < soonMs)
  )
}

function Notes({ payment: { isWaiting, isOwn, events, disputes } }: { payment: Payment }) {
  const words = useWords('paymentAdmin')
  const suspended = events.filter(({ state }) => state === 'suspended')
  return (
    <>
      {isWaiting && (
        <p className="note">
          <Link to="/admin/money-request?state=waiting">{words('refundWaits')}</Link>
        </p>
      )}
      {isOwn && <p className="note">{words('own')}</p>}
      {disputes.some(({ state }) => state === 'open') && <p className="note">{words('disputeOpen')}</p>}
      {suspended.map(({ id, problem }) => (
        <p key={id} className="note">
          <Link to={`/admin/payment/event/view?eventId=${id}`}>{words('exceptionHere')}</Link>
          {problem && ` · ${words(`problem${problem}`)}`}
        </p>
      ))}
    </>
  )
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const words = useWords('paymentAdmin')
  const ofMembers = useWords('payment')
  const { member, amount, refunded, refundable, providerNumber, transactionId, balance } = payment
  return (
    <Facts>
      <Fact label={words('state')}>
        <PaymentState of={payment} />
      </Fact>
      <Fact label={words('amount')}>
        <Yuan of={amount} />
      </Fact>
      {Number(refunded) > 0 && (
        <Fact label={words('refunded')}>
          <Yuan of={refunded} />
        </Fact>
      )}
      {transactionId !== null && (
        <Fact label={words('refundable')}>
          <Yuan of={refundable} />
        </Fact>
      )}
      <Fact label={words('member')}>
        <PersonLink of={member} /> · <Link to={`/admin/payment/member?member=${member.id}`}>{words('theirPayments')}</Link>
      </Fact>
      <Fact label={words('balanceNow')}>
        <Yuan of={balance} />
      </Fact>
      <Fact label={words('provider')}>{optionText(payment, words, ofMembers)}</Fact>
      <Fact label={words('providerNumber')}>
        <span className={css.number}>{providerNumber ?? '–'}</span>
      </Fact>
      <Fact label={words('transaction')}>
        <TransactionLink id={transactionId} />
      </Fact>
      <Times payment={payment} />
    </Facts>
  )
}

function Times({ payment: { state, expiresAt, takenAt } }: { payment: Payment }) {
  const words = useWords('paymentAdmin')
  return (
    <>
      {state === 'open' && (
        <Fact label={words('expiresAt')}>
          <ExactTime at={expiresAt} />
        </Fact>
      )}
      {takenAt && (
        <Fact label={words('takenAt')}>
          <ExactTime at={takenAt} />
        </Fact>
      )}
    </>
  )
}

function Actions({ payment, limits }: { payment: Payment; limits: Limits | null }) {
  const words = useWords('paymentAdmin')
  const [isOpen, setOpen] = useState(false)
  const asking = useAction<typeof askProvider>('/admin/payment/ask')
  const { number, method, refundable, isOwn, isWaiting } = payment
  const canRefund = mayDo('payment.refund') && !isOwn && !isWaiting && Number(refundable) > 0

  async function ask(): Promise<void> {
    const answer = await asking.run({ number })
    if (answer) toast(words(`answered${answer.state}`))
  }

  return (
    <p className="actions">
      {canRefund && (
        <button type="button" className="button danger" onClick={() => setOpen(true)}>
          {words('refund')}
        </button>
      )}
      {method !== 'byHand' && (
        <button type="button" className="button quiet" disabled={asking.isBusy} onClick={() => void ask()}>
          {words('ask')}
        </button>
      )}
      <Dialog title={words('refundTitle', { number })} isOpen={isOpen} close={() => setOpen(false)}>
        {isOpen && <RefundForm payment={payment} limits={limits} onDone={() => setOpen(false)} />}
      </Dialog>
    </p>
  )
}
