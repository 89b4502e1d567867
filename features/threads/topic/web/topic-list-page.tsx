import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import type { memberTopics } from '#topic/contract.ts'
import { TopicRow } from '#topic/web/topic.tsx'

export type TopicListData = Output<typeof memberTopics> & { kind: ThreadKind }

export function Page() {
  const words = useWords('topic')
  const me = useMember()
  const { topics, user, page, pages, total, kind } = useLoaderData<TopicListData>()
  const isMine = me?.userId === user.id
  return (
    <section className="column">
      {topics.length === 0 && (
        <Empty
          action={
            isMine && (
              <Link to={kind === 'question' ? '/addQuestion' : '/addTopic'} className="button">
                {words('writeFirst', { kind })}
              </Link>
            )
          }
        >
          {words('noneYet', { kind })}
        </Empty>
      )}
      {topics.map((topic) => (
        <TopicRow key={topic.id} topic={topic} />
      ))}
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
