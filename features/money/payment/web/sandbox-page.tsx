import { useLoaderData, useNavigate } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { sandboxOutcomes, type paySandbox, type sandboxPayment } from '#payment/contract.ts'
import { completedPath } from '#payment/web/paths.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

const outcomeWords = {
  paid: ['outcomePaid', 'outcomePaidWhat'],
  failed: ['outcomeFailed', 'outcomeFailedWhat'],
  late: ['outcomeLate', 'outcomeLateWhat'],
  twice: ['outcomeTwice', 'outcomeTwiceWhat'],
  never: ['outcomeNever', 'outcomeNeverWhat'],
} as const satisfies Record<(typeof sandboxOutcomes)[number], readonly [string, string]>

export function Page() {
  const words = useWords('payment')
  const language = useLanguage()
  const { number, amount, isOpen } = useLoaderData<Output<typeof sandboxPayment>>()
  const completed = completedPath({ provider: 'sandbox', number })
  return (
    <section className="column">
      <h1>{words('sandboxTitle')}</h1>
      <p className={`note ${css.test}`}>{words('sandboxWhat')}</p>
      <dl className={css.facts}>
        <div>
          <dt>{words('receiptAmount')}</dt>
          <dd className={css.much}>{amountText(amount, 'cny', language)}</dd>
        </div>
        <div>
          <dt>{words('receiptNumber')}</dt>
          <dd>{number}</dd>
        </div>
      </dl>
      {isOpen ? (
        <Outcomes number={number} onward={completed} />
      ) : (
        <p>
          {words('notOpen')} <Link to={completed}>{words('seeOutcome')}</Link>
        </p>
      )}
    </section>
  )
}

function Outcomes({ number, onward }: { number: string; onward: string }) {
  const words = useWords('payment')
  const navigate = useNavigate()
  const pay = useAction<typeof paySandbox>('/payment/sandbox/pay')
  return (
    <ul className={css.outcomes} aria-label={words('outcomes')}>
      {sandboxOutcomes.map((outcome) => {
        const [word, what] = outcomeWords[outcome]
        return (
          <li key={outcome}>
            <button
              type="button"
              className={outcome === 'paid' ? 'button' : 'button quiet'}
              aria-describedby={`${outcome}-what`}
              disabled={pay.isBusy}
              onClick={() => void pay.run({ number, outcome }, { onSuccess: () => navigate(onward) })}
            >
              {words(word)}
            </button>
            <span id={`${outcome}-what`} className="meta">
              {words(what)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
