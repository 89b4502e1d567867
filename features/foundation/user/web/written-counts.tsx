import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { PersonView } from '#user/contract.ts'

const lists = [
  ['topics', 'topic'],
  ['comments', 'comment'],
  ['replies', 'reply'],
  ['questions', 'question'],
  ['answers', 'answer'],
  ['adopted', 'answer'],
] as const

type Props = {
  counts: NonNullable<PersonView['counts']>
  /** Null for one's own. */
  userId: string | null
  className: string | undefined
}

/** The counts of a member's posts by kind, linked to their lists. */
export function WrittenCounts({ counts, userId, className }: Props) {
  const words = useWords('user')
  const query = userId === null ? '' : `?userId=${userId}`
  return (
    <ul className={className}>
      {lists.map(([what, list]) => (
        <li key={what} data-share={(what === 'adopted' && percentOf(counts) > 0) || undefined}>
          <Link to={`/user/control/${list}List${query}`}>
            <strong>{counts[what].toLocaleString('en')}</strong>{' '}
            {words(`${what}Written`, { count: counts[what], percent: percentOf(counts) })}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The percentage of answers that solved their question. */
function percentOf({ answers, adopted }: { answers: number; adopted: number }): number {
  return answers === 0 ? 0 : Math.round((100 * adopted) / answers)
}
