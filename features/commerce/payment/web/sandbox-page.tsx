import { useEffect, useRef } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Field, Form, useForm } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { paySandbox, sandboxOutcomes, type sandboxPayment } from '#payment/contract.ts'
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

const storageKey = 'sandboxCode'

function Outcomes({ number, onward }: { number: string; onward: string }) {
  const words = useWords('payment')
  const navigate = useNavigate()
  const outcome = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  // Remembered by the browser once it was right.
  useEffect(() => {
    if (code.current) code.current.value = localStorage.getItem(storageKey) ?? ''
  }, [])

  function finish(): void | Promise<void> {
    localStorage.setItem(storageKey, code.current?.value ?? '')
    return navigate(onward)
  }

  return (
    <Form endpoint={paySandbox} extra={{ number }} onSuccess={finish}>
      <input ref={outcome} type="hidden" name="outcome" />
      <Field
        ref={code}
        name="code"
        label={words('sandboxCode')}
        help={words('sandboxCodeHelp')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <ul className={css.outcomes} aria-label={words('outcomes')}>
        {sandboxOutcomes.map((one) => (
          <li key={one}>
            <Outcome of={one} choose={() => outcome.current && (outcome.current.value = one)} />
          </li>
        ))}
      </ul>
    </Form>
  )
}

function Outcome({ of: outcome, choose }: { of: (typeof sandboxOutcomes)[number]; choose: () => void }) {
  const words = useWords('payment')
  const { isBusy } = useForm()
  const [word, what] = outcomeWords[outcome]
  return (
    <>
      <button
        className={outcome === 'paid' ? 'button' : 'button quiet'}
        aria-describedby={`${outcome}-what`}
        disabled={isBusy}
        onClick={choose}
      >
        {words(word)}
      </button>
      <span id={`${outcome}-what`} className="meta">
        {words(what)}
      </span>
    </>
  )
}
