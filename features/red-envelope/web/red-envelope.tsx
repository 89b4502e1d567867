import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { useIdle, useLater } from '#base/web/later.ts'
import { Link } from '#base/web/link.tsx'
import { Sign } from '#base/web/sign.tsx'
import { useWords } from '#base/web/words.tsx'
import type { envelopeForm } from '#red-envelope/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import css from '#red-envelope/web/red-envelope.module.css'

export type Giving = Output<typeof envelopeForm>

const lantern = 'M10 2v2M6.5 4h7M7 4.5c-3.5 2.5-3.5 7.5 0 10h6c3.5-2.5 3.5-7.5 0-10M6.5 14.5h7M10 15v3M10 4.5v10'

/** A red envelope is open in a thread, beside its title in a list. */
export function EnvelopeMark() {
  const words = useWords('redEnvelope')
  return (
    <span className={css.mark} title={words('mark')}>
      <Sign path={lantern} size={18} />
      <span className="hidden">{words('mark')} </span>
    </span>
  )
}

/** The room of a thread's red envelope: its card differs for each reader, and comes once the page is at rest. */
export function EnvelopeOfThread({ topicId }: { topicId: string }) {
  const card = useLater(() => import('#red-envelope/web/thread-envelope.tsx'), useIdle())
  return <div className={css.room}>{card && <card.ThreadEnvelope key={topicId} topicId={topicId} />}</div>
}

type Person = { id: string; name: string; isDeactivated: boolean }

/** The way to give a red envelope to another member. */
export function GiveEnvelope({ to: { id, name, isDeactivated } }: { to: Person }) {
  const words = useWords('redEnvelope')
  const me = useMember()
  const { open } = useSite()
  if (!open.redEnvelopes || !me || me.userId === id || isDeactivated) return null
  return (
    <Link to={`/user/control/redEnvelope/add?receiver=${encodeURIComponent(name)}`} className="button quiet">
      {words('give')}
    </Link>
  )
}
