import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import { useMember } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { later, useLater } from '#base/web/later.ts'
import { ReportButton } from '#post/web/post.tsx'
import { ShareMenu } from '#base/web/share-menu.tsx'
import { Skeleton } from '#base/web/states.tsx'
import type { commentMarkdown, CommentView, removeComment, removeReply, ReplyView } from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { remarks } from '#comment/web/remarks.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { RemarkKind } from '#kind/contract.ts'

const load = () => later(import('#comment/web/comment-form.tsx'))
const ReplyComposer = lazy(async () => ({ default: (await load()).ReplyComposer }))
const EditRemark = lazy(async () => ({ default: (await load()).EditRemark }))

/** What everybody may do with a comment: take it along. */
export function CommentShare({ comment }: { comment: CommentView }) {
  const api = useApi()
  const { topic } = useDesk()
  const asked = { topicId: topic.id, commentId: comment.id }
  const markdown = async () => (await api.read<typeof commentMarkdown>('/comment/markdown', asked, { shared: true })).markdown
  return <ShareMenu path={floorPath(topic.id, comment.id, topic.kind)} title={document.title} markdown={markdown} />
}

type Post = { id: string; author: { id: string } | null }
type DeedsProps = {
  kind: RemarkKind
  post: Post
  /** Where a reply to it stands, and which reply that answers. */
  commentId: string
  answers: ReplyView | null
  /** What a comment quotes that is written to it. */
  quotes?: CommentView
}

/** What a member may do with a comment or a reply. */
export function RemarkDeeds({ kind, post, commentId, answers, quotes }: DeedsProps) {
  const { topic, mine, write, deedsFor: More } = useDesk()
  const words = useWords('comment', { of: topic.kind })
  const mayReport = useMayReport()
  const removal = useRemoval(kind, post, commentId)
  if (!mine) return null
  const may = mine[remarks[kind].all]

  return (
    <>
      {mine.can.reply && (
        <button type="button" className="plain" data-deed="reply" onClick={() => write({ kind: 'reply', commentId, answers })}>
          {words('reply')}
        </button>
      )}
      {mine.can.comment && quotes && (
        <button type="button" className="plain" data-deed="quote" onClick={() => write({ kind: 'comment', quotes })}>
          {words('quote')}
        </button>
      )}
      {may.edit.includes(post.id) && (
        <button type="button" className="plain" data-deed="edit" onClick={() => write({ kind: 'edit', of: kind, id: post.id })}>
          {words('edit')}
        </button>
      )}
      {may.remove.includes(post.id) && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void removal.remove()}>
          {words('remove')}
        </button>
      )}
      {More && quotes && <More comment={quotes} />}
      {post.author && mayReport(post.author.id) && <ReportButton kind={kind} thread={topic.kind} id={post.id} />}
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
function useRemoval(kind: RemarkKind, { id, author }: Post, commentId: string): Removing {
  const { named, calls, words: says, leavesPlace } = remarks[kind]
  const words = useWords('comment', { of: useDesk().topic.kind })
  const me = useMember()
  const deed = useDeed<typeof removeComment | typeof removeReply>(calls.remove)
  const next = useRef('')
  const [isAsked, ask] = useState(false)
  const close = () => ask(false)
  const gone = () => standAt(next.current, `comment-${commentId}`)
  const part = useLater(() => import('#comment/web/removal.tsx'), isAsked, close)

  async function remove(): Promise<void> {
    const place = document.getElementById(`${kind}-${id}`)
    next.current = leavesPlace ? '' : ((place?.nextElementSibling ?? place?.previousElementSibling)?.id ?? '')
    if (me?.userId !== author?.id) return ask(true)
    if (!(await confirm(words(says.removeQuestion), words('remove')))) return
    if (await deed.go(named(id), { done: words('removed') })) gone()
  }

  const dialog = part && <part.Removal kind={kind} id={id} isOpen={isAsked} close={close} gone={gone} />
  return { isBusy: deed.isBusy, remove, dialog }
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

export function EditForm(form: { of: RemarkKind; id: string }) {
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <EditRemark {...form} />
    </Suspense>
  )
}
