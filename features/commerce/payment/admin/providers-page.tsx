import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { clock } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { BeforeMoney } from '#payment/admin/before-money.tsx'
import { Fact, Facts, State, ZoneNote } from '#payment/admin/payment.tsx'
import type { providerStates, testProvider } from '#payment/event-contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#payment/admin/payment.module.css'

type Provider = Output<typeof providerStates>['providers'][number]

export function Page() {
  const words = useWords('paymentAdmin')
  const { allowCash } = useSite()
  const { providers } = useLoaderData<Output<typeof providerStates>>()
  return (
    <>
      <Head title={words('providers')}>
        {mayDo('setting.view') && (
          <Link to="/admin/setting?group=payment" className="button quiet">
            {words('toSettings')}
          </Link>
        )}
      </Head>
      {!allowCash && <BeforeMoney />}
      <div className={css.providers}>
        {providers.map((provider) => (
          <ProviderCard key={provider.name} provider={provider} />
        ))}
      </div>
      <ZoneNote />
      {allowCash && (
        <details>
          <summary>{words('lawTitle')}</summary>
          <BeforeMoney />
        </details>
      )}
    </>
  )
}

function ProviderCard({ provider }: { provider: Provider }) {
  const words = useWords('paymentAdmin')
  const { name, isOn, isSetUp, begun, paid, lastEventAt, notifyUrl, endings } = provider
  return (
    <section aria-labelledby={`provider-${name}`}>
      <h2 id={`provider-${name}`}>
        {words(`provider${name}`)} <ProviderState isOn={isOn} isSetUp={isSetUp} />
      </h2>
      <Facts>
        <Fact label={words('lastDay')}>{words('lastDayCounts', { begun, paid })}</Fact>
        <Fact label={words('lastHeard')}>{lastEventAt ? <ExactTime at={lastEventAt} /> : words('neverHeard')}</Fact>
        <Endings endings={endings} />
      </Facts>
      {name !== 'sandbox' && <Address text={notifyUrl} />}
      {mayDo('payment.keys') && isSetUp && <TestKeys provider={name} />}
    </section>
  )
}

function ProviderState({ isOn, isSetUp }: Pick<Provider, 'isOn' | 'isSetUp'>) {
  const words = useWords('paymentAdmin')
  const word = isOn ? (isSetUp ? 'isOn' : 'isOnUnset') : isSetUp ? 'isOff' : 'isUnset'
  return <State word={words(word)} tone={isOn ? (isSetUp ? 'good' : 'bad') : undefined} />
}

function Address({ text }: { text: string }) {
  const words = useWords('paymentAdmin')
  const [isCopied, setCopied] = useState(false)
  return (
    <p className={css.address}>
      <span>{words('notifyUrl')}</span>
      <code>{text}</code>
      <button
        type="button"
        className="plain"
        onClick={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            // The address can still be selected and copied by hand.
            (error: unknown) => console.info('The address was not copied', error),
          )
        }
      >
        {words(isCopied ? 'copied' : 'copy')}
      </button>
    </p>
  )
}

const soonMs = 30 * 86_400_000

function Endings({ endings }: Pick<Provider, 'endings'>) {
  const words = useWords('paymentAdmin')
  const now = clock.use() ?? 0
  return endings.map(({ name, endsAt }) => {
    const left = Date.parse(endsAt) - now
    return (
      <Fact key={name} label={words('endsOf', { name })}>
        <ExactTime at={endsAt} /> {left < soonMs && <State word={words(left < 0 ? 'hasEnded' : 'endsSoon')} tone="bad" />}
      </Fact>
    )
  })
}

function TestKeys({ provider }: { provider: Provider['name'] }) {
  const words = useWords('paymentAdmin')
  const test = useAction<typeof testProvider>('/admin/payment/provider/test')
  const [answer, setAnswer] = useState<Output<typeof testProvider> | null>(null)

  async function run(): Promise<void> {
    setAnswer(null)
    setAnswer((await test.run({ provider })) ?? null)
  }

  return (
    <>
      <button type="button" className="button quiet" disabled={test.isBusy} onClick={() => void run()}>
        {words(test.isBusy ? 'testing' : 'test')}
      </button>
      <div role="status">
        {answer && (
          <p className={css.result} data-bad={answer.problem !== null || undefined}>
            {words(answer.problem ? `keys${answer.problem}` : 'keysWork')}
            {answer.detail && <span className="meta"> {answer.detail}</span>}
          </p>
        )}
      </div>
    </>
  )
}
