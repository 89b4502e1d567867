import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import css from '#apps/web/hot-topics.module.css'

/**
 * What is most talked of and looked at, in its order. Without numbers: the list is kept on every page that shows it, and is not made
 * anew at each comment, so a count here would soon say otherwise than the topic beside it.
 */
export function HotTopics({ topics }: { topics: readonly TopicLinkView[] }) {
  const words = useWords('topic')
  if (topics.length === 0) return null
  return (
    <section className={css.hot}>
      <h2>{words('hot')}</h2>
      <ol>
        {topics.map((topic) => (
          <li key={topic.id}>
            <Link to={threadPath(topic.id, topic.kind)}>{topic.title}</Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
