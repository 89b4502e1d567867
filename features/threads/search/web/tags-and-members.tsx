import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { PlaceView } from '#tag/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import type { AuthorView } from '#user/contract.ts'
import { Avatar } from '#user/web/user.tsx'
import css from '#search/web/tags-and-members.module.css'

type TagsAndMembersProps = { tags: readonly PlaceView[]; members: readonly AuthorView[] | null; takesMembers: boolean }

/** Tags and members with matching names, above the hits. For members, space is reserved for the line of members while it loads. */
export function TagsAndMembers({ tags, members, takesMembers }: TagsAndMembersProps) {
  const words = useWords('search')
  const nameOf = useNameOf()
  if (tags.length === 0 && !takesMembers) return null
  return (
    <section className={css.beside} data-members={tags.length === 0 || undefined} aria-label={words('beside')}>
      {tags.length > 0 && (
        <div>
          <h2>{words('tags')}</h2>
          <ul>
            {tags.map(({ id, name }) => (
              <li key={id}>
                <Link to={`/index?tagId=${id}`}>
                  <span aria-hidden="true">#</span>
                  <bdi>{nameOf(name)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {takesMembers && <div className={css.members}>{members && <Members called={members} />}</div>}
    </section>
  )
}

function Members({ called }: { called: readonly AuthorView[] }) {
  const words = useWords('search')
  return (
    <>
      <h2>{words('members')}</h2>
      {called.length === 0 && <p>{words('noneCalled')}</p>}
      <ul>
        {called.map((one) => (
          <li key={one.id}>
            <Link to={`/user/control/home?userId=${one.id}`}>
              <Avatar of={one} size={24} />
              <bdi>{one.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

type RecentProps = { words: readonly string[]; pathTo: (keyword: string) => string; clear: () => void }

export function Recent({ words: recent, pathTo, clear }: RecentProps) {
  const words = useWords('search')
  if (recent.length === 0) return null
  return (
    <section className={css.recent}>
      <h2>{words('recent')}</h2>
      <button type="button" className="plain" onClick={clear}>
        {words('clearRecent')}
      </button>
      <ul>
        {recent.map((keyword) => (
          <li key={keyword}>
            <Link to={pathTo(keyword)}>
              <Icon name="search" size={16} />
              <bdi>{keyword}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
