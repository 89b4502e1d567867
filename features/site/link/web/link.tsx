import type { LinkView } from '#link/contract.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#link/web/link.module.css'

/** Links to partner sites. */
export function FriendLinks({ links }: { links: readonly LinkView[] }) {
  const words = useWords('site')
  if (links.length === 0) return null
  return (
    <nav className={css.links} aria-labelledby="friend-links">
      <h2 id="friend-links">{words('friends')}</h2>
      {links.map(({ id, name, url }) => (
        <a key={id} href={url} target="_blank" rel="noopener">
          {name}
        </a>
      ))}
    </nav>
  )
}
