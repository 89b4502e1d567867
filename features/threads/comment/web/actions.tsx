import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import { member, useLoginPath, useMember } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { later, useLater } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { MenuButton } from '#base/web/menu.tsx'
import { focusNext } from '#base/web/focus-later.ts'
import { reporting, TranslateItem, useUndo } from '#post/web/post.tsx'
import { PostMenu } from '#base/web/share-menu.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { useVersions } from '#base/web/versions.tsx'
import type { commentMarkdown, CommentView, remarkHistory, removeRemark, ReplyView } from '#comment/contract.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import { floorPath } from '#comment/web/floor-path.ts'
import { passageAt } from '#comment/web/passage.ts'
import { remarks } from '#comment/web/remarks.ts'
import { useSite } from '#setting/web/setting.tsx'
import { threadPath, type RemarkKind } from '#kind/contract.ts'

const load = () => later(import('#comment/web/comment-form.tsx'))
const ReplyComposer = lazy(async () => ({ default: (await load()).ReplyComposer }))
const EditRemark = lazy(async () => ({ default: (await load()).EditRemark }))

type Post = Pick<ReplyView, 'id' | 'editedAt' | 'segments'> & { author: { id: string } | null }
type ActionsProps = {
  kind: RemarkKind
  post: Post
  /** The comment to reply under, and the reply that is answered. */
  commentId: string
  answers: ReplyView | null
  quotes?: CommentView
}

/** The frequent actions on a comment or reply, always visible. A visitor sees how to reply, and returns to it after login. */
export function RemarkActions({ commentId, answers, quotes }: ActionsProps) {
  const { topic, mine, write, actionsFor: More } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const toLogin = useLoginPath(`${threadPath(topic.id, topic.kind)}&${formAddress(commentId, answers)}`)
  const { open } = useSite()
  const isAsked = member.use() === null && topic.takesComments && open[topic.kind === 'question' ? 'answerReplies' : 'replies']
  return (
    <>
      {mine?.can.reply && (
        <button
          type="button"
          className="plain"
          data-action="reply"
          onClick={({ currentTarget }) => write({ kind: 'reply', commentId, answers, ...(answers && passageAt(currentTarget)) })}
        >
          {words('reply')}
        </button>
      )}
      {isAsked && (
        <Link to={toLogin} className="plain">
          {words('reply')}
        </Link>
      )}
      {mine?.can.comment && quotes && (
        <button
          type="button"
          className="plain"
          data-action="quote"
          onClick={({ currentTarget }) => write({ kind: 'comment', quotes, ...passageAt(currentTarget) })}
        >
          {words('quote')}
        </button>
      )}
      {mine && More && quotes && <More comment={quotes} />}
    </>
  )
}

/** The query and hash of the address of a reply form. */
function formAddress(commentId: string, answers: ReplyView | null): string {
  return answers ? `replyId=${answers.id}#write-reply-${commentId}-${answers.id}` : `commentId=${commentId}#write-reply-${commentId}`
}

/** The menu with the less frequent actions on a comment or reply. */
export function RemarkMenu({ kind, post, commentId }: Pick<ActionsProps, 'kind' | 'post' | 'commentId'>) {
  const api = useApi()
  const { topic, mine, write } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const [share, site] = [useWords('share'), useWords('site')]
  const mayReport = useMayReport()
  const removal = useRemoval(kind, post, commentId)
  const may = mine?.[remarks[kind].all]
  const path = kind === 'comment' ? floorPath(topic.id, commentId, topic.kind) : `${threadPath(topic.id, topic.kind)}&replyId=${post.id}`
  const params = { topicId: topic.id, commentId }
  const asked = { topicId: topic.id, kind, id: post.id }
  const history = useVersions(() => api.read<typeof remarkHistory>('/comment/history', asked, { shared: true }))
  const markdown = async () => (await api.read<typeof commentMarkdown>('/comment/markdown', params, { shared: true })).markdown
  return (
    <>
      <PostMenu path={path} title={document.title} markdown={kind === 'comment' ? markdown : undefined} hasCard={kind === 'comment'}>
        <TranslateItem of={{ kind, id: post.id }} segments={post.segments} />
        {post.editedAt && <MenuButton onClick={history.open}>{site('versions')}</MenuButton>}
        {may?.edit.includes(post.id) && (
          <MenuButton data-action="edit" onClick={() => write({ kind: 'edit', of: kind, id: post.id })}>
            {words('edit')}
          </MenuButton>
        )}
        {mine && post.author && mayReport(post.author.id) && (
          <MenuButton data-action="report" onClick={() => reporting.set({ kind, thread: topic.kind, id: post.id })}>
            {share('report')}
          </MenuButton>
        )}
        {may?.remove.includes(post.id) && (
          <MenuButton danger disabled={removal.isBusy} onClick={() => void removal.remove()}>
            {words('remove')}
          </MenuButton>
        )}
      </PostMenu>
      {history.dialog}
      {removal.dialog}
    </>
  )
}

/** Whether the viewer may report a post by this author: not their own. */
function useMayReport(): (authorId: string) => boolean {
  const me = useMember()
  const { open } = useSite()
  return (authorId) => open.reports && me !== null && me.userId !== authorId
}

type RemovalState = { isBusy: boolean; remove(): Promise<void>; dialog: ReactNode }

/** Asks for confirmation before the removal of one's own post, and for a reason before that of another author's. */
function useRemoval(kind: RemarkKind, { id, author }: Post, commentId: string): RemovalState {
  const { words: says, leavesPlace } = remarks[kind]
  const words = useWords('comment', { of: useThread().topic.kind })
  const me = useMember()
  const action = useAction<typeof removeRemark>('/comment/remove')
  const undo = useUndo()
  const next = useRef('')
  const [isAsked, ask] = useState(false)
  const close = () => ask(false)
  const moveFocus = () => focusFirst(next.current, `comment-${commentId}`)
  const part = useLater(() => import('#comment/web/removal.tsx'), isAsked, close)

  async function remove(): Promise<void> {
    const place = document.getElementById(`${kind}-${id}`)
    next.current = leavesPlace ? '' : ((place?.nextElementSibling ?? place?.previousElementSibling)?.id ?? '')
    if (me?.userId !== author?.id) return ask(true)
    if (!(await confirm(words(says.removeQuestion), words('remove')))) return
    if (!(await action.run({ kind, id }))) return
    moveFocus()
    undo({ kind, id }, () => focusNext(`#${kind}-${id}`))
  }

  const dialog = part && <part.Removal kind={kind} id={id} isOpen={isAsked} close={close} gone={moveFocus} />
  return { isBusy: action.isBusy, remove, dialog }
}

/** Moves the focus, since its element was removed with the post. */
function focusFirst(...places: string[]): void {
  const place = places.map((id) => document.getElementById(id)).find((found) => found !== null)
  place?.focus({ preventScroll: true })
}

export function ReplyForm(form: { comment: CommentView; answers: ReplyView | null }) {
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
