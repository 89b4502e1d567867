import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { keepers } from '#favourite/contract.ts'
import { threadPath } from '#kind/contract.ts'
import { PersonList } from '#user/web/user.tsx'

/** The members with my topic in their favourites. */
export function Page() {
  const words = useWords('favourite')
  const { topic, members, page, pages, total } = useLoaderData<Output<typeof keepers>>()
  return (
    <section className="column">
      <p>
        <Link to={threadPath(topic.id, topic.kind)}>{topic.title}</Link>
      </p>
      {members.length === 0 ? <Empty>{words('nobody')}</Empty> : <PersonList people={members} />}
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
