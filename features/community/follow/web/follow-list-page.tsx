import { useLoaderData } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Tabs } from '#base/web/tabs.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Followable, FollowedView, followList } from '#follow/contract.ts'
import { Follow, FollowControl } from '#follow/web/follow.tsx'
import { threadPath } from '#kind/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#follow/web/follow.module.css'

/** The members, tags or threads that a member follows. */
export function Page() {
  const words = useWords('follow')
  const me = useMember()
  const { user, of, followed, page, pages, total } = useLoaderData<Output<typeof followList>>()
  const isMine = me?.userId === user.id
  const whose = isMine ? '' : `userId=${user.id}&`
  const tabs = { member: words('members'), tag: words('tags'), topic: words('threads') }
  const around = isMine && (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      <Tabs label={words('which')}>
        {(['member', 'tag', 'topic'] as const).map((one) => (
          <Link key={one} to={`/user/control/followList?${whose}of=${one}`} aria-current={of === one ? 'page' : undefined}>
            {tabs[one]}
          </Link>
        ))}
      </Tabs>
      {followed.length === 0 && <Empty action={around}>{words(isMine ? 'noneMine' : 'noneOf')}</Empty>}
      <ol className={css.list}>
        {followed.map((one) => (
          <li key={`${of} ${one.id}`}>
            <FollowedItem one={one} of={of} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function FollowedItem({ one: { id, member, tag, thread, isFollowed, level }, of }: { one: FollowedView; of: Followable }) {
  const words = useWords('follow')
  const nameOf = useNameOf()
  const name = member?.name ?? (tag ? nameOf(tag.name) : thread?.title) ?? words('gone')
  return (
    <>
      {member && <Avatar of={member} size={32} />}
      <div>
        {member && <Name of={member} />}
        {tag && <Link to={`/index?tagId=${id}`}>{name}</Link>}
        {thread && <Link to={threadPath(id, thread.kind)}>{name}</Link>}
        {!member && !tag && !thread && <span className="meta">{name}</span>}
      </div>
      {of === 'member' || !level ? (
        <Follow of={of} id={id} isFollowed={isFollowed} name={name} />
      ) : (
        <FollowControl of={of} id={id} level={level} name={name} />
      )}
    </>
  )
}
