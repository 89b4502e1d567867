import { useContext, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { confirm } from '#base/web/dialogs.ts'
import { useSubmission } from '#base/web/submission.ts'
import { Form, PasswordField, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { unlockPart, type buyPart, type HiddenView } from '#hidden-part/contract.ts'
import { formatCents, RevealedContext } from '#hidden-part/web/hidden-part.tsx'
import css from '#hidden-part/web/unlock.module.css'

/** The controls with which a member opens a part, in its place. */
export function Unlock({ part }: { part: HiddenView }) {
  const words = useWords('hiddenPart')
  // The site currently has no balances.
  const hasNoCash = useFunds()?.cents === null
  if (part.lock === 'password') return <ByPassword part={part} />
  if (part.lock === 'comment') return <ByComment />
  if (part.lock === 'level') return <ByLevel part={part} />
  if (part.lock === 'balance' && hasNoCash) return <p className={css.said}>{words('notNow')}</p>
  return <ByPrice part={part} />
}

function useFunds() {
  const { seen } = useContext(RevealedContext)
  return seen === 'failed' ? null : (seen?.funds ?? null)
}

function ByPassword({ part: { id } }: { part: HiddenView }) {
  const words = useWords('hiddenPart')
  return (
    <div className={css.password}>
      <Form endpoint={unlockPart} extra={{ partId: id }} onSuccess={() => undefined}>
        <PasswordField name="password" label={words('password')} required autoComplete="off" />
        <Submit>{words('unlock')}</Submit>
      </Form>
    </div>
  )
}

function ByComment() {
  const words = useWords('hiddenPart')
  const { takesComments } = useContext(RevealedContext)
  const go = useNavigate()
  const { pathname, search } = useLocation()
  if (!takesComments) return <p className={css.said}>{words('commentsClosed')}</p>
  return (
    <button type="button" className="button quiet" onClick={() => void go(`${pathname}${search}#write`, { preventScrollReset: true })}>
      {words('writeComment')}
    </button>
  )
}

function ByLevel({ part: { value } }: { part: HiddenView }) {
  const words = useWords('hiddenPart')
  const funds = useFunds()
  if (!funds) return null
  const [available, needs] = [Number(funds.earned), Number(value)]
  return (
    <div className={css.level}>
      <progress value={Math.min(available, needs)} max={needs || 1} aria-label={words('levelWay')} />
      <p className={css.said}>
        {words('levelFar', { have: available, needs, missing: Math.max(0, needs - available) })} <EarnLink />
      </p>
    </div>
  )
}

/** Shows the funds before the purchase, confirms once, and puts a refusal beside the button. */
function ByPrice({ part: { id, lock, value } }: { part: HiddenView }) {
  const words = useWords('hiddenPart')
  const language = useLanguage()
  const { revalidate } = useRevalidator()
  const { isBusy, submit } = useSubmission<typeof buyPart>('/hiddenPart/buy')
  const [wrong, setWrong] = useState('')
  const funds = useFunds()
  const isMoney = lock === 'balance'
  const available = funds && (isMoney ? funds.cents : funds.points)
  const missing = available === null ? 0 : Number(value) - Number(available)
  const amountParams = (amount: number) => ({ lock, amount: isMoney ? formatCents(String(amount), language) : amount })

  async function pay(): Promise<void> {
    setWrong('')
    const after = available === null ? '' : words('leftAfter', amountParams(-missing))
    if (!(await confirm(`${words('payQuestion', amountParams(Number(value)))}${after}`, words('pay'), 'gives'))) return
    await submit(
      { partId: id, price: value },
      {
        actionKey: `${id} ${value}`,
        onRefused({ message }) {
          setWrong(message)
          // The price or the funds differ from those on the page.
          void revalidate()
        },
      },
    )
  }

  return (
    <>
      {missing <= 0 && (
        <button
          type="button"
          className="button quiet"
          aria-disabled={isBusy || undefined}
          data-busy={isBusy || undefined}
          onClick={() => void pay()}
        >
          {words('unlockFor', amountParams(Number(value)))}
        </button>
      )}
      <p className={css.said}>
        {available !== null && words('have', amountParams(Number(available)))} {missing > 0 && words('missing', amountParams(missing))}{' '}
        {missing > 0 && !isMoney && <EarnLink />}
      </p>
      <Wrong>{wrong}</Wrong>
    </>
  )
}

function Wrong({ children }: { children: string }) {
  return children === '' ? null : (
    <p className={`wrong ${css.wrong}`} role="alert">
      {children}
    </p>
  )
}

function EarnLink() {
  const words = useWords('hiddenPart')
  return <Link to="/user/control/point">{words('howToEarn')}</Link>
}
