import { useEffect, useRef } from 'react'
import { useApi } from '#base/web/api.ts'
import type { Api, Output } from '#base/contract.ts'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { followOfMember } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow.tsx'
import { WriteTo } from '#message/web/message.tsx'
import type { home } from '#user/contract.ts'
import { PersonCard } from '#apps/web/person-card.tsx'
import person from '#apps/web/person-card.module.css'
import css from '#apps/web/member-card.module.css'

type Props = { link: HTMLAnchorElement; hold: { stay: () => void; leave: () => void }; close: () => void }

/** A member's card beside their name; the keyboard can move into it. */
export function MemberCard({ link, hold, close }: Props) {
  const words = useWords('user')
  const card = useRef<HTMLDivElement>(null)
  const api = useApi()
  const { part: known, hasFailed, retry } = useNeeded(() => memberOf(api, link))
  useEffect(() => {
    const box = card.current
    if (!box) return
    const left = new AbortController()
    if (!box.matches(':popover-open')) box.showPopover({ source: link })
    place(box, link)
    const hear = (of: EventTarget, types: string[], does: (event: Event) => unknown) => {
      for (const type of types) of.addEventListener(type, does, { signal: left.signal, passive: true })
    }
    hear(window, ['scroll'], close)
    hear(document, ['pointerdown'], ({ target }) => target instanceof Node && !box.contains(target) && target !== link && close())
    hear(document, ['keydown'], (event) => event instanceof KeyboardEvent && event.key === 'Escape' && close())
    hear(box, ['pointerenter', 'focusin'], hold.stay)
    hear(box, ['pointerleave', 'focusout'], (event) => (event instanceof PointerEvent && event.pointerType === 'touch') || hold.leave())
    return () => left.abort()
  }, [link, known, hold, close])
  return (
    <div
      ref={card}
      popover="manual"
      role="dialog"
      aria-label={words('cardOf', { name: link.textContent })}
      className={`${person.card} ${css.card}`}
    >
      {hasFailed ? <Failed retry={retry} /> : known ? <LoadedCard {...known} /> : <Skeleton lines={4} />}
    </div>
  )
}

type Member = { person: Output<typeof home>; relation: Output<typeof followOfMember> }

function LoadedCard({ person: its, relation }: Member) {
  const { user } = its
  return (
    <PersonCard person={its}>
      {relation.canBeFollowed && (
        <>
          {relation.way !== 'blocked' && <Follow of="member" id={user.id} isFollowed={relation.isFollowed} name={user.name} />}
          <WriteTo of={user} />
        </>
      )}
    </PersonCard>
  )
}

async function memberOf(api: Api, { href }: HTMLAnchorElement): Promise<Member> {
  const userId = new URL(href).searchParams.get('userId') ?? ''
  const [person, relation] = await Promise.all([
    api.read<typeof home>('/user/control/home', { userId }, { silent: true }),
    api.read<typeof followOfMember>('/follow/member', { userId }, { silent: true }),
  ])
  return { person, relation }
}

function place({ style, offsetWidth, offsetHeight }: HTMLElement, link: Element): void {
  const { left, top, bottom } = link.getBoundingClientRect()
  style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`
  style.top = `${bottom + offsetHeight + 12 > innerHeight && top > offsetHeight + 12 ? top - offsetHeight - 6 : bottom + 6}px`
}
