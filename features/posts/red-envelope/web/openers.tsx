import { useEffect, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { Failed } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ShareView } from '#red-envelope/contract.ts'
import type { envelopeShares } from '#red-envelope/list-contract.ts'
import { useAmount } from '#red-envelope/web/amount.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import type { Currency } from '#wallet/contract.ts'
import css from '#red-envelope/web/envelope-card.module.css'

const crown = 'M3 15h14M3.5 12.5 3 6l4 3 3-5 3 5 4-3-.5 6.5z'

export function Openers({ envelopeId, currency }: { envelopeId: string; currency: Currency }) {
  const words = useWords('redEnvelope')
  const api = useApi()
  const [{ shares, pages }, show] = useState<{ shares: ShareView[]; pages: number }>({ shares: [], pages: 0 })
  const [{ page, tries }, ask] = useState({ page: 1, tries: 1 })
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    api.read<typeof envelopeShares>('/redEnvelope/shares', { envelopeId, page }, { silent: true }).then(
      (next) => {
        show(({ shares: before }) => ({ shares: [...before, ...next.shares], pages: next.pages }))
        setFailed(false)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }, [api, envelopeId, page, tries])

  return (
    <>
      <Shares shares={shares} currency={currency} />
      {hasFailed && <Failed retry={() => ask({ page, tries: tries + 1 })} />}
      {page < pages && !hasFailed && (
        <button type="button" className="plain" onClick={() => ask({ page: page + 1, tries: 1 })}>
          {words('more')}
        </button>
      )}
    </>
  )
}

/** Opened shares in a list; the largest has a crown once all are opened. */
export function Shares({ shares, currency }: { shares: readonly ShareView[]; currency: Currency }) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  return (
    <ol className={css.openers}>
      {shares.map(({ member, amount, at, isBest }, index) => (
        <li key={member?.id ?? index}>
          {member && <Avatar of={member} size={24} />}
          <span className={css.who}>
            {member ? <Name of={member} withRoles={false} /> : words('somebodyGone')}
            <Time at={at} isShort />
            {isBest && <Luckiest />}
          </span>
          <span className={css.amount}>{amountOf(amount, currency)}</span>
        </li>
      ))}
    </ol>
  )
}

export function Luckiest() {
  const words = useWords('redEnvelope')
  return (
    <span className={css.best}>
      <StrokeIcon path={crown} size={18} />
      {words('luckiest')}
    </span>
  )
}
