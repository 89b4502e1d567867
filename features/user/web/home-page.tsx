import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Time } from '#base/web/time.tsx'
import type { Output } from '#base/contract.ts'
import type { home } from '#user/contract.ts'
import { Roles } from '#user/web/roles.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import { Avatar, Joined, LastSeen, MemberTabs, Name } from '#user/web/user.tsx'
import css from '#user/web/home-page.module.css'

type Home = Output<typeof home>

type Parts = {
  /** What one has, on one's own page. */
  purse?: ReactNode
  /** What they are to others, and to whoever looks. */
  relation?: ReactNode
  /** The newest of what they wrote. */
  latest?: ReactNode
}

export function Page({ purse, relation, latest }: Parts) {
  const words = useWords('user')
  const person = useLoaderData<Home>()
  const { user, isMe, roles } = person
  return (
    <section className="column">
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
          {person.isDisabled && <p className="note">{words('disabledWhat')}</p>}
          {user.isDeactivated && <p className="note">{words('deactivatedWhat')}</p>}
          {isMe && (
            <Link to="/user/control/editUser" className="button quiet">
              {words('editProfile')}
            </Link>
          )}
        </div>
      </header>
      {person.about && <p className={css.about}>{person.about}</p>}
      {relation}
      {person.bans.length > 0 && <Bans bans={person.bans} />}
      {(isMe || person.showsActivity) && <MemberTabs userId={isMe ? null : user.id} />}
      {latest}
      <Level level={person.level} />
      {purse}
      <Counts person={person} />
      {person.told.length > 0 && <FieldValues told={person.told} />}
      {roles.length > 0 && <Roles roles={roles} />}
    </section>
  )
}

/** What one may not do for now, and why. */
function Bans({ bans }: { bans: Home['bans'] }) {
  const words = useWords('user')
  return (
    <ul className={css.bans}>
      {bans.map(({ from, endsAt, reason }) => (
        <li key={from}>
          {words(endsAt ? 'bannedUntil' : 'bannedForGood', { from, reason })} {endsAt && <Time at={endsAt} />}
        </li>
      ))}
    </ul>
  )
}

function FieldValues({ told }: { told: Home['told'] }) {
  const language = useLanguage()
  return (
    <dl className={css.told}>
      {told.map(({ name, said }) => (
        <div key={name.en}>
          <dt>{name[language]}</dt>
          <dd>{said.map((one) => one[language]).join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

function Level({ level }: { level: Home['level'] }) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <section className={css.level}>
      <p>
        <strong>{words('level', { rank: level.rank, name: level.name[language] })}</strong>{' '}
        {level.points !== null && <span className="meta">{words('points', { points: level.points })}</span>}
      </p>
      {level.points !== null && level.nextAt !== null && (
        <>
          <progress value={level.points} max={level.nextAt} aria-label={words('toNext')} />
          <p className="meta">{words('nextAt', { points: level.nextAt - level.points })}</p>
        </>
      )}
    </section>
  )
}

function Counts({ person: { user, counts, isMe } }: { person: Home }) {
  const words = useWords('user')
  if (!counts) return <p className="meta">{words('activityHidden')}</p>
  return <WrittenCounts counts={counts} userId={isMe ? null : user.id} className={css.counts} />
}
