import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { followerList } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#follow/web/follow.module.css'

/** The followers of a member, each with a follow button. */
export function Page() {
  const words = useWords('follow')
  const { followers, page, pages, total } = useLoaderData<Output<typeof followerList>>()
  return (
    <section className="column">
      {followers.length === 0 && <Empty>{words('nobody')}</Empty>}
      <ol className={css.list}>
        {followers.map(({ member, isFollowed }) => (
          <li key={member.id}>
            <Avatar of={member} size={32} />
            <div>
              <Name of={member} />
            </div>
            <Follow of="member" id={member.id} isFollowed={isFollowed} name={member.name} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
