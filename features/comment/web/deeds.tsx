import { lazy, Suspense } from 'react'
import { useMember } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { later } from '#base/web/later.ts'
import { ReportButton } from '#base/web/reporting.tsx'
import { ShareMenu } from '#base/web/share-menu.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { commentMarkdown, CommentView, removeComment, removeReply, ReplyView } from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { useSite } from '#setting/web/setting.tsx'
import comments from '#comment/web/comment.module.css'
import replies from '#comment/web/reply.module.css'

const load = () => later(import('#comment/web/comment-form.tsx'))
const ReplyComposer = lazy(async () => ({ default: (await load()).ReplyComposer }))
const EditComment = lazy(async () => ({ default: (await load()).EditComment }))
const EditReply = lazy(async () => ({ default: (await load()).EditReply }))

/** What everybody may do with a comment: take it along. */
export function CommentShare({ comment }: { comment: CommentView }) {
  const api = useApi()
  const { topic } = useDesk()
  const asked = { topicId: topic.id, commentId: comment.id }
  const markdown = async () => (await api.read<typeof commentMarkdown>('/comment/markdown', asked, { shared: true })).markdown
  return <ShareMenu path={floorPath(topic.id, comment.id)} title={document.title} markdown={markdown} />
}

/** What a member may do with a comment. */
export function CommentDeeds({ comment }: { comment: CommentView }) {
  const words = useWords('comment')
  const { mine, write } = useDesk()
  const mayReport = useMayReport()
  const removal = useDeed<typeof removeComment>('/comment/remove')
  if (!mine) return null

  async function remove(): Promise<void> {
    if (!(await confirm(words('removeQuestion'), words('remove')))) return
    if (await removal.go({ commentId: comment.id }, { done: words('removed') })) standAt(`comment-${comment.id}`)
  }

  return (
    <p className={comments.deeds}>
      {mine.can.reply && (
        <button
          type="button"
          className="plain"
          data-deed="reply"
          onClick={() => write({ kind: 'reply', commentId: comment.id, answers: null })}
        >
          {words('reply')}
        </button>
      )}
      {mine.can.comment && (
        <button type="button" className="plain" data-deed="quote" onClick={() => write({ kind: 'comment', quotes: comment })}>
          {words('quote')}
        </button>
      )}
      {mine.comments.edit.includes(comment.id) && (
        <button type="button" className="plain" data-deed="edit" onClick={() => write({ kind: 'edit comment', commentId: comment.id })}>
          {words('edit')}
        </button>
      )}
      {mine.comments.remove.includes(comment.id) && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
          {words('remove')}
        </button>
      )}
      {comment.author && mayReport(comment.author.id) && <ReportButton kind="comment" id={comment.id} />}
    </p>
  )
}

/** Whether what this member wrote may be reported by whoever is here: nobody reports their own. */
function useMayReport(): (authorId: string) => boolean {
  const me = useMember()
  const { open } = useSite()
  return (authorId) => open.reports && me !== null && me.userId !== authorId
}

/** The same for a reply. */
export function ReplyDeeds({ reply, commentId }: { reply: ReplyView; commentId: string }) {
  const words = useWords('comment')
  const { mine, write } = useDesk()
  const mayReport = useMayReport()
  const removal = useDeed<typeof removeReply>('/comment/removeReply')
  if (!mine) return null

  async function remove(): Promise<void> {
    if (!(await confirm(words('removeReplyQuestion'), words('remove')))) return
    const place = document.getElementById(`reply-${reply.id}`)
    const next = place?.nextElementSibling ?? place?.previousElementSibling
    if (await removal.go({ replyId: reply.id }, { done: words('removed') })) standAt(next?.id ?? '', `comment-${commentId}`)
  }

  return (
    <p className={replies.deeds}>
      {mine.can.reply && (
        <button type="button" className="plain" data-deed="reply" onClick={() => write({ kind: 'reply', commentId, answers: reply })}>
          {words('reply')}
        </button>
      )}
      {mine.replies.edit.includes(reply.id) && (
        <button type="button" className="plain" data-deed="edit" onClick={() => write({ kind: 'edit reply', replyId: reply.id })}>
          {words('edit')}
        </button>
      )}
      {mine.replies.remove.includes(reply.id) && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
          {words('remove')}
        </button>
      )}
      {mayReport(reply.author.id) && <ReportButton kind="reply" id={reply.id} />}
    </p>
  )
}

/** The button that had the focus went with what it deleted. */
function standAt(...places: string[]): void {
  const place = places.map((id) => document.getElementById(id)).find((found) => found !== null)
  place?.focus({ preventScroll: true })
}

export function ReplyForm(form: { commentId: string; answers: ReplyView | null }) {
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <ReplyComposer {...form} />
    </Suspense>
  )
}

export function EditForm(form: { commentId: string }) {
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <EditComment {...form} />
    </Suspense>
  )
}

export function EditReplyForm(form: { replyId: string }) {
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <EditReply {...form} />
    </Suspense>
  )
}
