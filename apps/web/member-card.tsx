import { useEffect, useRef, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import type { Output } from '#base/contract.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { followOfMember } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow.tsx'
import { WriteTo } from '#message/web/message.tsx'
import type { home } from '#user/contract.ts'
import { Avatar, Joined, Name } from '#user/web/user.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import author from '#apps/web/author-card.module.css'
import css from '#apps/web/member-card.module.css'

type Props = { link: HTMLAnchorElement; hold: { stay: () => void; leave: () => void }; close: () => void }

/** Who a member is, beside their name. The keyboard goes on into it from there. */
export function MemberCard({ link, hold, close }: Props) {
  const words = useWords('user')
  const card = useRef<HTMLDivElement>(null)
  const { known, hasFailed, ask } = useMemberOf(link)
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
      className={`${author.card} ${css.card}`}
    >
      {hasFailed ? <Failed retry={ask} /> : known ? <Known {...known} /> : <Skeleton lines={4} />}
    </div>
  )
}

type Member = { person: Output<typeof home>; relation: Output<typeof followOfMember> }

function Known({ person: { user, level, joinedAt, counts }, relation }: Member) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <>
      <Avatar of={user} size={64} />
      <div className={author.who}>
        <Name of={user} />
        <p>
          {words('level', { rank: level.rank, name: level.name[language] })}
          <br />
          <Joined at={joinedAt} />
        </p>
      </div>
      {relation.canBeFollowed && (
        <div className={author.follow}>
          {relation.way !== 'blocked' && <Follow of="member" id={user.id} isFollowed={relation.isFollowed} name={user.name} />}
          <WriteTo of={user} />
        </div>
      )}
      {counts && <WrittenCounts counts={counts} userId={user.id} className={author.counts} />}
    </>
  )
}

function useMemberOf({ href }: HTMLAnchorElement) {
  const api = useApi()
  const userId = new URL(href).searchParams.get('userId') ?? ''
  const [known, setKnown] = useState<Member | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const asked = [
      api.read<typeof home>('/user/control/home', { userId }, { silent: true }),
      api.read<typeof followOfMember>('/follow/member', { userId }, { silent: true }),
    ] as const
    Promise.all(asked).then(
      ([person, relation]) => setKnown({ person, relation }),
      () => setFailed(true),
    )
  }, [api, userId, tries])

  function ask(): void {
    setFailed(false)
    setTries(tries + 1)
  }
  return { known, hasFailed, ask }
}

function place({ style, offsetWidth, offsetHeight }: HTMLElement, link: Element): void {
  const { left, top, bottom } = link.getBoundingClientRect()
  style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`
  style.top = `${bottom + offsetHeight + 12 > innerHeight && top > offsetHeight + 12 ? top - offsetHeight - 6 : bottom + 6}px`
}
