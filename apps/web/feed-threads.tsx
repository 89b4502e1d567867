import { useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { TagList } from '#tag/web/tag.tsx'
import type { ReadingView } from '#topic/contract.ts'
import type { followedThreads } from '#topic/followed-contract.ts'
import { TopicRow } from '#topic/web/topic.tsx'
import css from '#apps/web/followed-threads.module.css'

export type FeedData = Output<typeof followedThreads> & { reading: ReadingView[] }

/** New threads from followed members, tags and topics, with the reason for each. */
export function FeedThreads({ of: { threads, reading, next }, list }: { of: FeedData; list: TagList }) {
  const words = useWords('follow')
  const [query] = useSearchParams()
  // Literal keys, so that these texts load with the page.
  const whys = { member: words('whyMember'), tag: words('whyTag'), thread: words('whyThread') }
  const whom = (
    <Link to="/user/control/followList" className="button quiet">
      {words('mine')}
    </Link>
  )
  return (
    <>
      {threads.length === 0 && <Empty action={whom}>{words('nothingNew')}</Empty>}
      {threads.map(({ topic, why }) => (
        <div key={topic.id} className={css.thread}>
          <p className={css.why}>{whys[why]}</p>
          <TopicRow topic={topic} list={list} reading={reading.find(({ topicId }) => topicId === topic.id)} />
        </div>
      ))}
      <p className="actions">
        {query.has('before') && (
          <Link to={`${list}?following=true`} className="button quiet">
            {words('newest')}
          </Link>
        )}
        {next && (
          <Link to={`${list}?following=true&before=${next}`} className="button quiet" rel="next">
            {words('older')}
          </Link>
        )}
      </p>
    </>
  )
}
