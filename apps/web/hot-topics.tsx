import { Link } from '#base/web/link.tsx'
import { Memoized } from '#base/web/memoized.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import css from '#apps/web/hot-topics.module.css'

/**
 * The hot topics, ranked. Without counts, because the list is cached with every page that shows it: a count would soon differ from the
 * one on the topic beside it.
 */
export function HotTopics({ topics }: { topics: readonly TopicLinkView[] }) {
  const words = useWords('topic')
  if (topics.length === 0) return null
  return (
    <Memoized by={() => ['hot', topics]}>
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
    </Memoized>
  )
}
