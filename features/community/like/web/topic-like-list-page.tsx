import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { likesOfTopic } from '#like/contract.ts'
import { PersonList } from '#user/web/user.tsx'

/** The members who like my topic. */
export function Page() {
  const words = useWords('like')
  const { topic, members, page, pages, total } = useLoaderData<Output<typeof likesOfTopic>>()
  return (
    <section className="column">
      <p>
        <Link to={threadPath(topic.id, topic.thread)}>{topic.title}</Link>
      </p>
      {members.length === 0 ? <Empty>{words('nobody')}</Empty> : <PersonList people={members} />}
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
