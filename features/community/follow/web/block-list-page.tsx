import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { blockList } from '#follow/contract.ts'
import { Blocking } from '#follow/web/blocking.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#follow/web/follow.module.css'

/** The members that I mute or block, with a button to end it. */
export function Page() {
  const words = useWords('follow')
  const { blocked, page, pages, total } = useLoaderData<Output<typeof blockList>>()
  return (
    <section className="column">
      <p className="meta">{words('blockListHelp')}</p>
      {blocked.length === 0 && <Empty>{words('noneBlocked')}</Empty>}
      <ol className={css.list}>
        {blocked.map(({ member, way, at }) => (
          <li key={member.id}>
            <Avatar of={member} size={32} />
            <div>
              <Name of={member} withRoles={false} />
              <p className="meta">
                {words(way === 'muted' ? 'isMuted' : 'isBlocked')} · <Time at={at} />
              </p>
            </div>
            <Blocking of={member} way={way} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
