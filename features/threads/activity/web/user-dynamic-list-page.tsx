import { useLoaderData, useSearchParams } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { userDynamicList } from '#activity/contract.ts'
import { Activity } from '#activity/web/activity.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'

/** A member's posts of all kinds in one list. */
export function Page() {
  const words = useWords('activity')
  const me = useMember()
  const [query] = useSearchParams()
  const { user, posts, next } = useLoaderData<Output<typeof userDynamicList>>()
  const isMine = me?.userId === user.id
  const whose = isMine ? '' : `userId=${user.id}&`
  const path = '/user/control/userDynamicList'
  const around = isMine && (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      {posts.length === 0 && <Empty action={around}>{words('none')}</Empty>}
      <Activity posts={posts} />
      <p className="actions">
        {query.has('before') && (
          <Link to={isMine ? path : `${path}?userId=${user.id}`} className="button quiet">
            {words('newest')}
          </Link>
        )}
        {next && (
          <Link to={`${path}?${whose}before=${next}`} className="button quiet" rel="next">
            {words('older')}
          </Link>
        )}
      </p>
    </section>
  )
}
