import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pages } from '#base/web/pages.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { likesOfTopic } from '#like/contract.ts'
import { LikerList } from '#like/web/liker-list.tsx'
import { MemberTabs } from '#user/web/user.tsx'

/** Who likes what I opened. */
export function Page() {
  const words = useWords('like')
  const { topic, members, page, pages, total } = useLoaderData<Output<typeof likesOfTopic>>()
  return (
    <section className="column">
      <h1>{words('whoLikes')}</h1>
      <MemberTabs userId={null} />
      <p>
        <Link to={threadPath(topic.id, topic.thread)}>{topic.title}</Link>
      </p>
      <LikerList members={members} />
      <Pages page={page} pages={pages} total={total} />
    </section>
  )
}
