import { useLoaderData } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import type { memberComments, memberReplies } from '#comment/contract.ts'
import { floorPath } from '#comment/web/floor-path.ts'
import { RemarkList, type Remark } from '#comment/web/remark-list.tsx'
import { remarks } from '#comment/web/remarks.ts'
import type { ThreadKind } from '#kind/contract.ts'

/** The kind of the threads. */
type RemarkListData = (Output<typeof memberComments> | Output<typeof memberReplies>) & { thread: ThreadKind }

export function Page() {
  const me = useMember()
  const list = useLoaderData<RemarkListData>()
  const words = useWords('comment', { of: list.thread })
  const { user, page, pages, total } = list
  const says = remarks['comments' in list ? 'comment' : 'reply'].words
  const visible = remarksIn(list)
  const isMine = me?.userId === user.id
  const around = (
    <Link to={list.thread === 'question' ? '/askList' : '/index'} className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      {visible.length === 0 && <Empty action={isMine && around}>{words(says.none)}</Empty>}
      <RemarkList remarks={visible} />
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function remarksIn(list: RemarkListData): Remark[] {
  const to = ({ topicId, commentId }: { topicId: string; commentId: string }) => floorPath(topicId, commentId, list.thread)
  if ('comments' in list) return list.comments.map((comment) => ({ ...comment, key: comment.commentId, to: to(comment) }))
  return list.replies.map((reply) => ({ ...reply, key: reply.replyId, to: `${to(reply)}&replyId=${reply.replyId}` }))
}
