import { useState, type ReactNode } from 'react'
import { useMember, useToggle } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { addFollow, Followable, removeFollow } from '#follow/contract.ts'
import { noteTag, useFollowMine } from '#follow/web/mine.ts'
import type { TagList } from '#tag/web/tag.tsx'
import css from '#follow/web/follow.module.css'

type Props = {
  of: Followable
  id: string
  /** Null for visitors, and until it is known. */
  isFollowed: boolean | null
  /** Whom or what, where several such buttons stand on one page. */
  name?: string
  isPlain?: boolean
}

/** Follows a member, a tag or a thread, and lets go again. Nobody follows themselves. */
export function Follow({ of, id, isFollowed, name, isPlain = false }: Props) {
  const words = useWords('follow')
  const api = useApi()
  const me = useMember()
  const { isOn, press } = useToggle({
    deed: `follow ${of} ${id}`,
    was: isFollowed,
    question: words('loginFirst'),
    async send(follows) {
      await api.write<typeof addFollow | typeof removeFollow>(follows ? '/follow/add' : '/follow/remove', { of, id })
      if (of === 'tag') noteTag(id, follows)
    },
  })
  if (of === 'member' && me?.userId === id) return null
  const label = words(isOn ? 'following' : 'follow')
  return (
    <button
      type="button"
      className={isPlain ? `plain ${css.plain}` : `button quiet ${css.follow}`}
      aria-pressed={isOn}
      aria-label={name && `${label} ${name}`}
      onClick={press}
      data-deed="follow"
    >
      {label}
    </button>
  )
}

export function FollowTag({ tagId }: { tagId: string }) {
  const mine = useFollowMine()
  return <Follow key={tagId} of="tag" id={tagId} isFollowed={mine && mine.tagIds.includes(tagId)} />
}

/** The way to what is new where one follows, for members. */
export function FollowingTab({ list, isHere }: { list: TagList; isHere: boolean }) {
  const words = useWords('follow')
  const me = useMember()
  if (!me) return null
  return (
    <Link to={`${list}?following=true`} aria-current={isHere ? 'page' : undefined}>
      {words('followingTab')}
    </Link>
  )
}

/** What a member wrote whom I mute is a line that can be opened. */
export function Muted({ by, children }: { by: string; children: ReactNode }) {
  const words = useWords('follow')
  const mine = useFollowMine()
  const [isOpen, open] = useState(false)
  if (isOpen || !mine?.muted.includes(by)) return children
  return (
    <p className={css.folded}>
      {words('folded')}{' '}
      <button type="button" className="plain" onClick={() => open(true)}>
        {words('unfold')}
      </button>
    </p>
  )
}
