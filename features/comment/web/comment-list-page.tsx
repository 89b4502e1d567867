import { useLoaderData } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { memberComments } from '#comment/contract.ts'
import { floorPath } from '#comment/web/floor-path.ts'
import { RemarkList } from '#comment/web/remark-list.tsx'
import { MemberTabs } from '#user/web/user.tsx'

export function Page() {
  const words = useWords('comment')
  const me = useMember()
  const { comments, user, page, pages, total } = useLoaderData<Output<typeof memberComments>>()
  const remarks = comments.map((comment) => ({ ...comment, key: comment.commentId, to: floorPath(comment.topicId, comment.commentId) }))
  const isMine = me?.userId === user.id
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      <h1>{isMine ? words('myComments') : words('commentsOf', { name: user.name })}</h1>
      <MemberTabs userId={isMine ? null : user.id} />
      {remarks.length === 0 && <Empty deed={isMine && around}>{words('noComments')}</Empty>}
      <RemarkList remarks={remarks} />
      <Pages page={page} pages={pages} total={total} />
    </section>
  )
}
