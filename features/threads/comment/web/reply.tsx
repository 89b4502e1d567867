import { useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { Html } from '#base/web/html.tsx'
import { InlinePlace } from '#base/web/places.tsx'
import { useWords } from '#base/web/words.tsx'
import type { CommentView, listReplies, ReplyView } from '#comment/contract.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import { PostTime } from '#comment/web/post-time.tsx'
import { MutedPost } from '#follow/web/follow.tsx'
import { Translated } from '#post/web/post.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#comment/web/reply.module.css'

/** The replies under a comment: the first ones, and a button for more. */
export function Replies({ comment }: { comment: CommentView }) {
  const api = useApi()
  const { topic, writing, tools, actions } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const [more, setMore] = useState<ReplyView[]>([])
  const replies = [...comment.replies, ...more.filter((reply) => !comment.replies.some(({ id }) => id === reply.id))]
  const isWriting = writing?.kind === 'reply' && writing.commentId === comment.id
  if (replies.length === 0 && !isWriting) return null

  async function loadMore(): Promise<void> {
    const after = replies.at(-1)?.id
    const next = await api.read<typeof listReplies>(
      '/comment/replies',
      { topicId: topic.id, commentId: comment.id, ...(after && { after }) },
      { shared: true },
    )
    setMore([...more, ...next.replies])
  }

  return (
    <div className={css.replies}>
      <ol>
        {(tools?.order(replies) ?? replies.map((reply) => ({ reply, depth: 0 }))).map(({ reply, depth }) => (
          <li key={reply.id} id={`reply-${reply.id}`} tabIndex={-1} data-depth={depth || undefined}>
            <MutedPost by={reply.author.id}>
              <Reply reply={reply} commentId={comment.id} />
            </MutedPost>
          </li>
        ))}
      </ol>
      {comment.replyCount > replies.length && (
        <button type="button" className="plain" data-more onClick={() => void loadMore()}>
          {words('moreReplies', { count: comment.replyCount - replies.length })}
        </button>
      )}
      {isWriting && actions && <actions.ReplyForm comment={comment} answers={writing.answers} />}
    </div>
  )
}

function Reply({ reply, commentId }: { reply: ReplyView; commentId: string }) {
  const { topic, writing, actions } = useThread()
  const words = useWords('comment', { of: topic.kind })
  if (actions && writing?.kind === 'edit' && writing.of === 'reply' && writing.id === reply.id) return <actions.EditForm {...writing} />
  return (
    <article className={css.reply} data-ai-generated={reply.aiLabel ?? undefined}>
      <Avatar of={reply.author} size={24} />
      <div>
        <header className={css.by}>
          <Name of={reply.author} withRoles={false} />
          {reply.author.id === topic.author.id && <span className="mark">{words('author')}</span>}
          {reply.answers && (
            <span className="meta">
              ▸ <bdi>{reply.answers.author?.name ?? words('somebody')}</bdi>
            </span>
          )}
          <InlinePlace name="remark.by" post={reply} />
          <PostTime post={reply} />
        </header>
        <Translated of={{ kind: 'reply', id: reply.id }}>
          {reply.segments.map((segment, index) => (
            <Html key={index} html={segment.html} className={`prose ${css.text}`} />
          ))}
        </Translated>
        <div className={css.actions}>
          <InlinePlace name="remark.actions" kind="reply" post={reply} authorId={reply.author.id} />
          {actions && (
            <span className={css.quiet}>
              <actions.RemarkActions kind="reply" post={reply} commentId={commentId} answers={reply} />
              <actions.RemarkMenu kind="reply" post={reply} commentId={commentId} />
            </span>
          )}
        </div>
      </div>
    </article>
  )
}
