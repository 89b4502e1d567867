import { useRef, useState, type ReactNode } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import type { FieldValues } from '#base/editor/stored-fields.ts'
import { useIdle, useLater, useNeeded } from '#base/web/lazy-part.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { Failed } from '#base/web/states.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { envelopeForm } from '#red-envelope/contract.ts'
import type { EnvelopeRef } from '#red-envelope/web/live-envelope.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#red-envelope/web/red-envelope.module.css'

export type EnvelopeOptions = Output<typeof envelopeForm>

const lantern = 'M10 2v2M6.5 4h7M7 4.5c-3.5 2.5-3.5 7.5 0 10h6c3.5-2.5 3.5-7.5 0-10M6.5 14.5h7M10 15v3M10 4.5v10'

export function EnvelopeMark() {
  const words = useWords('redEnvelope')
  return (
    <span className={css.mark} title={words('mark')}>
      <Lantern size={18} />
      <span className="hidden">{words('mark')} </span>
    </span>
  )
}

/** The room of a red envelope: its card differs for each reader, and loads once the page is idle. */
export function EnvelopeRoom({ of }: { of: EnvelopeRef }) {
  const card = useLater(() => import('#red-envelope/web/live-envelope.tsx'), useIdle())
  const key = 'topicId' in of ? of.topicId : of.envelopeId
  return (
    <div className={css.room} data-message={'isInMessage' in of || undefined}>
      {card && <card.LiveEnvelope key={key} of={of} />}
    </div>
  )
}

/** The button that adds a red envelope to a comment. `first` holds the restored fields of a draft. */
export function AddEnvelope({ first }: { first: FieldValues }) {
  const words = useWords('redEnvelope')
  const { open } = useSite()
  const [isWanted, want] = useState(() => first['envelopeKind'] !== '' && Object.keys(first).some((name) => name.startsWith('envelope')))
  const button = useRef<HTMLButtonElement>(null)
  const part = useLater(
    () => import('#red-envelope/web/add-envelope.tsx'),
    isWanted,
    () => want(false),
  )
  if (!open.redEnvelopes) return null

  function drop(): void {
    want(false)
    // The focused choice is gone.
    requestAnimationFrame(() => button.current?.focus())
  }

  if (isWanted)
    return (
      part && <part.CommentEnvelopeFields first={{ ...first, ...(!first['envelopeKind'] && { envelopeKind: 'random' }) }} drop={drop} />
    )
  return (
    <button ref={button} type="button" className={`plain ${css.add}`} onClick={() => want(true)}>
      <Lantern size={18} /> {words('add')}
    </button>
  )
}

/** The fields of a red envelope that comes with a private message. */
export function EnvelopeInMessage(props: { first: FieldValues; greeting: ReactNode }) {
  const { part, hasFailed, retry } = useNeeded(() => import('#red-envelope/web/add-envelope.tsx'))
  if (hasFailed) return <Failed retry={retry} />
  return part && <part.MessageEnvelopeFields {...props} />
}

export function Lantern({ size }: { size: number }) {
  return <StrokeIcon path={lantern} size={size} />
}

type Person = { id: string; name: string; isDeactivated: boolean }

export function GiveEnvelope({ to: { id, name, isDeactivated } }: { to: Person }) {
  const words = useWords('redEnvelope')
  const me = useMember()
  const { open } = useSite()
  if (!open.redEnvelopes || !me || me.userId === id || isDeactivated) return null
  return <MenuLink to={`/user/control/redEnvelope/add?receiver=${encodeURIComponent(name)}`}>{words('give')}</MenuLink>
}
