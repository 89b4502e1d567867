import { useLoaderData } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { memberReplies } from '#comment/contract.ts'
import { floorPath } from '#comment/web/floor-path.ts'
import { RemarkList } from '#comment/web/remark-list.tsx'
import { MemberTabs } from '#user/web/user.tsx'

export function Page() {
  const words = useWords('comment')
  const me = useMember()
  const { replies, user, page, pages, total } = useLoaderData<Output<typeof memberReplies>>()
  const remarks = replies.map((reply) => ({
    ...reply,
    key: reply.replyId,
    to: `${floorPath(reply.topicId, reply.commentId)}&replyId=${reply.replyId}`,
  }))
  const isMine = me?.userId === user.id
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      <h1>{isMine ? words('myReplies') : words('repliesOf', { name: user.name })}</h1>
      <MemberTabs userId={isMine ? null : user.id} />
      {remarks.length === 0 && <Empty deed={isMine && around}>{words('noReplies')}</Empty>}
      <RemarkList remarks={remarks} />
      <Pages page={page} pages={pages} total={total} />
    </section>
  )
}
