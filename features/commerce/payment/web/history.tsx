import { useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { paymentList, PaymentView } from '#payment/contract.ts'
import { historyPath, paymentPath } from '#payment/web/paths.ts'
import { providerWords } from '#payment/web/word-keys.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

export type History = Output<typeof paymentList>

const stateWords = { open: 'listOpen', paid: 'listPaid', closed: 'listClosed' } as const

export function History({
  rows,
  next,
  beside,
}: History & { /** The payments that are already listed above. */ beside: readonly PaymentView[] }) {
  const words = useWords('payment')
  const [query] = useSearchParams()
  const isFirst = !query.has('before')
  const others = rows.filter(({ number }) => !beside.some((one) => one.number === number))
  if (others.length === 0 && isFirst && !next) return null
  return (
    <section aria-labelledby="history">
      <h2 id="history">{words('history')}</h2>
      <ul className={css.open}>
        {others.map((payment) => (
          <Line key={payment.number} payment={payment} />
        ))}
      </ul>
      <p className={css.actions}>
        {!isFirst && (
          <Link to={historyPath(null)} className="button quiet">
            {words('newest')}
          </Link>
        )}
        {next && (
          <Link to={historyPath(next)} className="button quiet" rel="next">
            {words('older')}
          </Link>
        )}
      </p>
    </section>
  )
}

function Line({ payment }: { payment: PaymentView }) {
  const words = useWords('payment')
  const language = useLanguage()
  const { number, provider, state, createdAt, refunds, disputes } = payment
  const amount = amountText(payment.amount, 'cny', language)
  const back = refunds.filter((one) => one.state !== 'failed').map((one) => amountText(one.amount, 'cny', language))
  const isDisputed = disputes.some((one) => one.state !== 'won')
  return (
    <li>
      <div>
        <Link to={paymentPath(number)}>{words(stateWords[state], { amount })}</Link>
        <p className="meta">
          {words(providerWords[provider])} · <Time at={createdAt} />
        </p>
      </div>
      {isDisputed && <p className="meta">{words('hasDispute')}</p>}
      {back.length > 0 && <p className="meta">{words('hasRefund', { amount: back.join(', ') })}</p>}
    </li>
  )
}
