import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { isolate } from '#base/direction.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Time } from '#base/web/time.tsx'
import type { Output } from '#base/contract.ts'
import type { home } from '#user/contract.ts'
import { Roles } from '#user/web/roles.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import css from '#user/web/home-page.module.css'

type Home = Output<typeof home>

type Parts = {
  /** What one has, on one's own page. */
  purse?: ReactNode
  /** What they are to others, and to whoever looks. */
  relation?: ReactNode
  /** What is liked most of what they wrote. */
  best?: ReactNode
  /** The newest of it. */
  latest?: ReactNode
}

export function Page({ purse, relation, best, latest }: Parts) {
  const person = useLoaderData<Home>()
  return (
    <section className="column">
      {person.about && <p className={css.about}>{person.about}</p>}
      {relation}
      {person.roles.length > 0 && <Roles roles={person.roles} />}
      {person.bans.length > 0 && <Bans bans={person.bans} />}
      {best}
      {latest}
      <Level level={person.level} />
      {purse}
      <Counts person={person} />
      {person.told.length > 0 && <FieldValues told={person.told} />}
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
          <dd>{said.map((one) => isolate(one[language])).join(', ')}</dd>
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
