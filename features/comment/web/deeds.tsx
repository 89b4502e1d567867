import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useMember } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { later, useLater } from '#base/web/later.ts'
import { ReportButton } from '#post/web/post.tsx'
import { ShareMenu } from '#base/web/share-menu.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { commentMarkdown, CommentView, removeComment, removeReply, ReplyView } from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { useSite } from '#setting/web/setting.tsx'
import comments from '#comment/web/comment.module.css'
import replies from '#comment/web/reply.module.css'
import type { RemarkKind } from '#kind/contract.ts'

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
  const removal = useRemoval('comment', comment, () => standAt(`comment-${comment.id}`))
  if (!mine) return null

  return (
    <>
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
          <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void removal.remove()}>
            {words('remove')}
          </button>
        )}
        {comment.author && mayReport(comment.author.id) && <ReportButton kind="comment" id={comment.id} />}
      </p>
      {removal.dialog}
    </>
  )
}

/** Whether what this member wrote may be reported by whoever is here: nobody reports their own. */
function useMayReport(): (authorId: string) => boolean {
  const me = useMember()
  const { open } = useSite()
  return (authorId) => open.reports && me !== null && me.userId !== authorId
}

type Removing = { isBusy: boolean; remove(): Promise<void>; dialog: ReactNode }

/** Asks once before what is one's own goes, and why before what somebody else wrote does. */
function useRemoval(kind: RemarkKind, post: { id: string; author: { id: string } | null }, gone: () => void): Removing {
  const words = useWords('comment')
  const me = useMember()
  const [comment, reply] = [useDeed<typeof removeComment>('/comment/remove'), useDeed<typeof removeReply>('/comment/removeReply')]
  const [isAsked, ask] = useState(false)
  const close = () => ask(false)
  const part = useLater(() => import('#comment/web/removal.tsx'), isAsked, close)

  async function remove(): Promise<void> {
    if (me?.userId !== post.author?.id) return ask(true)
    if (!(await confirm(words(kind === 'comment' ? 'removeQuestion' : 'removeReplyQuestion'), words('remove')))) return
    const told = { done: words('removed') }
    const { id } = post
    if (await (kind === 'comment' ? comment.go({ commentId: id }, told) : reply.go({ replyId: id }, told))) gone()
  }

  const dialog = part && <part.Removal kind={kind} id={post.id} isOpen={isAsked} close={close} gone={gone} />
  return { isBusy: comment.isBusy || reply.isBusy, remove, dialog }
}

/** The same for a reply. */
export function ReplyDeeds({ reply, commentId }: { reply: ReplyView; commentId: string }) {
  const words = useWords('comment')
  const { mine, write } = useDesk()
  const mayReport = useMayReport()
  const next = useRef('')
  const removal = useRemoval('reply', reply, () => standAt(next.current, `comment-${commentId}`))
  if (!mine) return null

  function remove(): void {
    const place = document.getElementById(`reply-${reply.id}`)
    next.current = (place?.nextElementSibling ?? place?.previousElementSibling)?.id ?? ''
    void removal.remove()
  }

  return (
    <>
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
          <button type="button" className="plain" disabled={removal.isBusy} onClick={remove}>
            {words('remove')}
          </button>
        )}
        {mayReport(reply.author.id) && <ReportButton kind="reply" id={reply.id} />}
      </p>
      {removal.dialog}
    </>
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
