import type { ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { AuthorView, home } from '#user/contract.ts'
import { Avatar, Joined, LastSeen, Name } from '#user/web/user.tsx'
import css from '#user/web/profile-head.module.css'

/** The head of a member's page. */
export function ProfileHead({ of: person, children }: { of: Output<typeof home>; /** The actions at the end. */ children?: ReactNode }) {
  const words = useWords('user')
  const { user } = person
  return (
    <header className={css.head}>
      <Avatar of={user} size={96} alone />
      <div>
        <h1>
          <Name of={user} withRoles={false} />
        </h1>
        <p className="meta">
          {person.account && `@${person.account} · `}
          <Joined at={person.joinedAt} />
          {person.lastSeenAt && (
            <>
              {' · '}
              <LastSeen at={person.lastSeenAt} />
            </>
          )}
        </p>
        {person.formerly.length > 0 && <p className="meta">{words('formerly', { names: person.formerly.map(isolate).join(' · ') })}</p>}
        {person.isDisabled && <p className="note">{words('disabledWhat')}</p>}
        {user.isDeactivated && <p className="note">{words('deactivatedWhat')}</p>}
        <div className={css.actions}>{children}</div>
      </div>
    </header>
  )
}

/** A head in one line above a member's other pages, linked to their page. */
export function SmallHead({ of: user, to }: { of: Pick<AuthorView, 'id' | 'name' | 'avatar'>; to: string }) {
  return (
    <Link to={to} className={css.small}>
      <Avatar of={user} size={40} />
      <span>{user.name}</span>
    </Link>
  )
}
