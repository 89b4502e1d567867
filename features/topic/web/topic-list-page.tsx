import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { memberTopics } from '#topic/contract.ts'
import { TopicRow } from '#topic/web/topic.tsx'
import { MemberTabs } from '#user/web/user.tsx'

export function Page() {
  const words = useWords('topic')
  const me = useMember()
  const { topics, user, page, pages, total } = useLoaderData<Output<typeof memberTopics>>()
  const isMine = me?.userId === user.id
  return (
    <section className="column">
      <h1>{isMine ? words('myTopics') : words('topicsOf', { name: user.name })}</h1>
      <MemberTabs userId={isMine ? null : user.id} />
      {topics.length === 0 && (
        <Empty
          deed={
            isMine && (
              <Link to="/addTopic" className="button">
                {words('writeFirst')}
              </Link>
            )
          }
        >
          {words('noneYet')}
        </Empty>
      )}
      {topics.map((topic) => (
        <TopicRow key={topic.id} topic={topic} />
      ))}
      <Pages page={page} pages={pages} total={total} />
    </section>
  )
}
