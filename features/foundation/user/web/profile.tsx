import { isolate } from '#base/direction.ts'
import { joinNames } from '#base/language.ts'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { Time } from '#base/web/time.tsx'
import type { Output } from '#base/contract.ts'
import { banWord } from '#role/all-rights.ts'
import type { home } from '#user/contract.ts'
import { Roles } from '#user/web/roles.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import css from '#user/web/profile.module.css'

type Home = Output<typeof home>

export function About({ of: { about } }: { of: Home }) {
  return about === '' ? null : <p className={css.about}>{about}</p>
}

/** The member's level and counts of posts. */
export function Numbers({ of: { level, counts, isMe, user } }: { of: Home }) {
  return (
    <>
      <Level level={level} />
      {counts && <WrittenCounts counts={counts} userId={isMe ? null : user.id} className={css.counts} />}
    </>
  )
}

/** The secondary details: roles, and the public answers about themselves. */
export function Details({ of: { roles, told } }: { of: Home }) {
  return (
    <>
      {roles.length > 0 && <Roles roles={roles} />}
      {told.length > 0 && <FieldValues told={told} />}
    </>
  )
}

/** The viewer's own bans, with their reasons. */
export function Bans({ of: { bans } }: { of: Home }) {
  const words = useWords('user')
  const translate = useTranslate()
  if (bans.length === 0) return null
  return (
    <ul className={css.bans}>
      {bans.map(({ from, endsAt, reason }) => (
        <li key={from}>
          {words(endsAt ? 'bannedUntil' : 'bannedForGood', { what: translate(banWord(from)), reason })} {endsAt && <Time at={endsAt} />}
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
          <dd>
            {joinNames(
              language,
              said.map((one) => isolate(one[language])),
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Level({ level: { rank, name, points, nextAt } }: { level: Home['level'] }) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <div className={css.level}>
      <p>
        <strong>{words('level', { rank, name: name[language] })}</strong>{' '}
        {points !== null && nextAt !== null && <span className="meta">{words('nextAt', { points: nextAt - points })}</span>}
      </p>
      {points !== null && nextAt !== null && <progress value={points} max={nextAt} aria-label={words('toNext')} />}
    </div>
  )
}
