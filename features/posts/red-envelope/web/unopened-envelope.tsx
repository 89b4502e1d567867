import { useLocation } from 'react-router'
import { useLoginPath, useMember } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { EnvelopeView, Obstacle } from '#red-envelope/contract.ts'
import css from '#red-envelope/web/envelope-card.module.css'

type UnopenedProps = { envelope: EnvelopeView; isBusy: boolean; open: () => Promise<void> }

/** An envelope that this reader has not opened: the button, or why there is none. */
export function UnopenedEnvelope({ envelope, isBusy, open }: UnopenedProps) {
  const { id, kind, state, taken, quantity, mayTry, isOwn, conditions, role, obstacle } = envelope
  const words = useWords('redEnvelope')
  const { pathname, search } = useLocation()
  const login = useLoginPath(`${pathname}${search}#${anchorOf(id)}`)
  const me = useMember()
  const reason = useReason(envelope)
  if (state === 'taken' || (state === 'open' && taken >= quantity))
    return <p className={css.said}>{words(kind === 'targeted' ? 'oneGone' : 'allGone')}</p>
  if (state !== 'open') return <p className={css.said}>{words('over')}</p>
  if (conditions.roleId !== undefined && role === null) return <p className={css.said}>{words('roleGone')}</p>
  if (!me)
    return (
      <Link to={login} className="button quiet">
        {words('loginToOpen')}
      </Link>
    )
  if (!mayTry) return <p className={css.said}>{words(isOwn ? 'yours' : 'notForYou')}</p>
  if (obstacle === 'banned') return <p className={css.said}>{words('notAllowed')}</p>
  // The reader may have met the condition since, such as by following the giver.
  if (obstacle)
    return (
      <>
        <p className={css.said}>{reason(obstacle)}</p>
        <button type="button" className="button quiet" aria-disabled={isBusy || undefined} onClick={() => void open()}>
          {words('openNow')}
        </button>
      </>
    )
  return (
    <button
      type="button"
      className={css.open}
      aria-label={words('openIt')}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={() => void open()}
    >
      {words('open')}
    </button>
  )
}

/** The sentence for an obstacle. */
function useReason({ level, conditions, minDays }: EnvelopeView): (obstacle: Exclude<Obstacle, 'banned'>) => string {
  const words = useWords('redEnvelope')
  const language = useLanguage()
  const values = { isNamed: level ? 'yes' : 'no', level: level?.[language] ?? '', points: Number(conditions.level ?? 0) }
  return (obstacle) => {
    if (obstacle === 'comment') return words('needsComment')
    if (obstacle === 'level') return words('needsLevel', values)
    if (obstacle === 'role') return words('needsRole')
    if (obstacle === 'following') return words('needsFollowing')
    if (obstacle === 'days') return words('needsDays', { days: minDays })
    return words('notNow')
  }
}

export function anchorOf(envelopeId: string): string {
  return `envelope-${envelopeId}`
}
