import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Currency } from '#wallet/contract.ts'
import type { HeldView, InEnvelopesView } from '#wallet/log-contract.ts'
import { subjectPath } from '#wallet/web/log.tsx'
import { amountText, Coming } from '#wallet/web/wallet.tsx'
import css from '#wallet/web/wallet.module.css'

export function Held({ held, currency }: { held: HeldView; currency: Currency }) {
  const words = useWords('wallet')
  const language = useLanguage()
  if (Number(held.amount) === 0) return null
  return (
    <div className={css.held}>
      <p>{words('heldForBounties', { amount: amountText(held.amount, currency, language) })}</p>
      <ul>
        {held.for.map((question) => (
          <li key={question.id}>
            <Link to={subjectPath(question)}>{question.title}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Amounts in red envelopes: shares on their way to this member, and unopened ones of theirs. */
export function InEnvelopes({ of: { held, coming }, currency }: { of: InEnvelopesView; currency: Currency }) {
  const words = useWords('wallet')
  const language = useLanguage()
  return (
    <>
      <Coming amount={coming} currency={currency} />
      {Number(held) > 0 && (
        <p>
          {words('heldInEnvelopes', { amount: amountText(held, currency, language) })}{' '}
          <Link to="/user/control/giveRedEnvelopeList">{words('seeEnvelopes')}</Link>
        </p>
      )}
    </>
  )
}
