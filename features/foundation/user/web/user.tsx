import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { AuthorView } from '#user/contract.ts'
import { colourOf, lettersOf } from '#user/letters.ts'
import people from '#user/web/person-list.module.css'
import css from '#user/web/user.module.css'

type AvatarOwner = Pick<AuthorView, 'id' | 'name' | 'avatar'>
type Size = 24 | 32 | 40 | 64 | 96

/** A member's avatar, or the letters of their name. Hidden from screen readers, since the name stands beside it, unless it is `alone`. */
export function Avatar({ of: { id, name, avatar }, size, alone = false }: { of: AvatarOwner; size: Size; alone?: boolean }) {
  if (avatar) {
    const src = size <= 40 ? `${avatar}?w=96` : avatar
    return <img src={src} width={size} height={size} alt={alone ? name : ''} className={css.picture} loading="lazy" decoding="async" />
  }
  const spoken = alone ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true }
  return (
    <span className={css.letters} data-size={size} data-colour={colourOf(id)} {...spoken}>
      {lettersOf(name)}
    </span>
  )
}

type NameOwner = Pick<AuthorView, 'id' | 'name' | 'isOfficial' | 'isDeactivated' | 'roles'>

/** A member's name with its marks, linked to their page. */
export function Name({ of: person, withRoles = true }: { of: NameOwner; withRoles?: boolean }) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <span className={css.person}>
      <Link to={`/user/control/home?userId=${person.id}`} className={css.name}>
        {person.name}
      </Link>
      {person.isOfficial && <span className={css.official}>{words('official')}</span>}
      {person.isDeactivated && <span className={css.deactivated}>{words('deactivated')}</span>}
      {withRoles &&
        person.roles.map((role) => (
          <span key={role.en} className={css.role}>
            {role[language]}
          </span>
        ))}
    </span>
  )
}

/** Members, each with the time of the list's action. */
export function PersonList({ people: all }: { people: readonly { member: AuthorView; at: string }[] }) {
  return (
    <ol className={people.list}>
      {all.map(({ member, at }) => (
        <li key={member.id}>
          <Avatar of={member} size={32} />
          <Name of={member} />
          <Time at={at} />
        </li>
      ))}
    </ol>
  )
}

export function Joined({ at }: { at: string }) {
  return <When says="joined" at={at} />
}

export function LastSeen({ at }: { at: string }) {
  return <When says="seen" at={at} />
}

function When({ says, at }: { says: 'joined' | 'seen'; at: string }) {
  const words = useWords('user')
  const [before, after] = words(says, { when: '|' }).split('|')
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  )
}
