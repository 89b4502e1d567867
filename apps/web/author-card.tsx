import type { ThreadData } from '#apps/web/screens/thread.data.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PersonView } from '#user/contract.ts'
import { Avatar, Name, percentOf } from '#user/web/user.tsx'
import css from '#apps/web/author-card.module.css'

/** Who wrote the topic: as much of them as one wants to know beside it. */
export function AuthorCard({ author }: { author: ThreadData['author'] }) {
  const words = useWords('user')
  const language = useLanguage()
  const { user, level, joinedAt, counts } = author
  return (
    <section className={css.card}>
      <Avatar of={user} size={64} />
      <div className={css.who}>
        <Name of={user} />
        <p>
          {words('level', { rank: level.rank, name: level.name[language] })}
          <br />
          {words('joined')} <Time at={joinedAt} />
        </p>
      </div>
      {counts && <Counts userId={user.id} counts={counts} />}
    </section>
  )
}

function Counts({ userId, counts }: { userId: string; counts: NonNullable<PersonView['counts']> }) {
  const words = useWords('user')
  return (
    <ul className={css.counts}>
      {lists.map(([what, list]) => (
        <li key={what}>
          <Link to={`/user/control/${list}List?userId=${userId}`}>
            <strong>{counts[what].toLocaleString('en')}</strong>{' '}
            {words(`${what}Written`, { count: counts[what], percent: percentOf(counts) })}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const lists = [
  ['topics', 'topic'],
  ['comments', 'comment'],
  ['replies', 'reply'],
  ['questions', 'question'],
  ['answers', 'answer'],
  ['adopted', 'answer'],
] as const
