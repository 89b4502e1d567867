import type { ReactNode } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { followOfMember } from '#follow/contract.ts'
import { Blocking, BlockingItems, type Person } from '#follow/web/blocking.tsx'
import { Follow } from '#follow/web/follow.tsx'
import css from '#follow/web/follow.module.css'

type Props = {
  of: Person
  is: Output<typeof followOfMember>
  /** Other actions on the member. */
  children?: ReactNode
  /** Less frequent actions of members. */
  rare?: ReactNode
}

/** The follow counts on a member's page, and the relation to the viewer. */
export function Relation({ of: person, is, children, rare }: Props) {
  const words = useWords('follow')
  const me = useMember()
  const isMe = me?.userId === person.id
  const query = isMe ? '' : `?userId=${person.id}`
  return (
    <div className={css.relation}>
      {is.counts && (
        <span className={css.counts}>
          <Link to={`/user/control/followList${query}`}>
            <strong>{is.counts.following.toLocaleString('en')}</strong> {words('followingCount', { count: is.counts.following })}
          </Link>
          <Link to={`/user/control/followerList${query}`}>
            <strong>{is.counts.followers.toLocaleString('en')}</strong> {words('followerCount', { count: is.counts.followers })}
          </Link>
        </span>
      )}
      {is.canBeFollowed && is.way !== 'blocked' && (
        <Follow key={`${person.id} ${is.isFollowed}`} of="member" id={person.id} isFollowed={is.isFollowed} />
      )}
      {children}
      {me && !isMe && (
        <>
          {is.way !== null && <Blocking of={person} way={is.way} />}
          <Menu label={words('more')}>
            {rare}
            <BlockingItems of={person} way={is.way} />
          </Menu>
        </>
      )}
    </div>
  )
}
