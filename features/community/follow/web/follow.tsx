import { useState, type ReactNode } from 'react'
import { useMember } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useFollowState } from '#follow/web/follow-state.ts'
import type { TagList } from '#tag/web/tag.tsx'
import css from '#follow/web/follow.module.css'

export { Follow } from '#follow/web/follow-button.tsx'
export { FollowTag, FollowControl } from '#follow/web/follow-control.tsx'

/** The tab that leads members to their feed. */
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

/** Collapses a post by a member whom I mute into a line that can be opened. */
export function MutedPost({ by, children }: { by: string; children: ReactNode }) {
  const words = useWords('follow')
  const mine = useFollowState()
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
