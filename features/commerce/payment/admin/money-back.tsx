import { Yuan } from '#base/admin/staff-list.tsx'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Fact, Facts, PaymentLink } from '#payment/admin/payment.tsx'
import { disputeReason, disputeStatus } from '#payment/admin/disputes-page.tsx'
import { receivedText } from '#payment/admin/events-page.tsx'
import type { StaffEvent } from '#payment/admin/views.ts'
import css from '#payment/admin/payment.module.css'

/** What the provider took back, and of which payment. */
export function MoneyBack({ event }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const { number, isKnown, ordered, paymentNumber, settled, status, reason, respondBy, link, provider } = event
  return (
    <Facts>
      <Fact label={words('amount')}>
        <span className={css.number}>{receivedText(event, words)}</span>
      </Fact>
      {settled !== null && (
        <Fact label={words('settledCents')}>
          <Yuan of={settled} />
        </Fact>
      )}
      <Fact label={words('payment')}>
        {isKnown && number ? <PaymentLink number={number} /> : (number ?? words('noSuchOrder'))}
        {ordered !== null && (
          <>
            {' '}
            · <Yuan of={ordered} />
          </>
        )}
      </Fact>
      {paymentNumber !== null && (
        <Fact label={words('paymentNumberThere')}>
          <span className={css.number}>{paymentNumber}</span>
        </Fact>
      )}
      {reason !== null && <Fact label={words('disputeReason')}>{disputeReason(reason, words)}</Fact>}
      {status !== null && <Fact label={words('statusThere')}>{disputeStatus(status, words)}</Fact>}
      {respondBy !== null && (
        <Fact label={words('respondBy')}>
          <ExactTime at={respondBy} />
        </Fact>
      )}
      {link !== null && (
        <Fact label={words('pageThere')}>
          <a href={link} rel="noopener noreferrer" target="_blank">
            {words('toProvider', { provider: words(`provider${provider}`) })}
          </a>
        </Fact>
      )}
    </Facts>
  )
}
