import { useEffect, useState, type ReactNode } from 'react'
import type { Endpoint, Output } from '#base/contract.ts'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { clearDraft } from '#base/web/editor/draft-place.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import type { Values } from '#base/web/form-values.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { EditorField } from '#content/admin/editor-field.tsx'
import {
  commentAsStaff,
  editCommentAsStaff,
  editReplyAsStaff,
  editTopicAsStaff,
  replyAsStaff,
  type remarkForStaff,
  type topicForStaff,
} from '#content/contract.ts'
import css from '#content/admin/content.module.css'

type Topic = Output<typeof topicForStaff>
type Kind = 'comment' | 'reply'

export function EditTopic({ topic, close }: { topic: Topic; close: () => void }) {
  const words = useWords('contentAdmin')
  const { id, version, title, body, author } = topic
  const draftKey = `staff topic ${id} ${version}`
  return (
    <Post sends={editTopicAsStaff} along={{ topicId: id, version }} draftKey={draftKey} deed={words('save')} close={close}>
      <Field name="title" label={words('title')} defaultValue={title} maxLength={90} autoComplete="off" />
      <EditorField label={words('text')} kind="topic" draftKey={draftKey} first={body} authorId={author.id} />
      <Field name="reason" label={words('reason')} help={words('editHelp')} maxLength={300} autoComplete="off" />
    </Post>
  )
}

/** A comment or a reply as it was written is asked for once, when its form opens. */
export function EditRemark({ kind, id, close }: { kind: Kind; id: string; close: () => void }) {
  const words = useWords('contentAdmin')
  const { remark, hasFailed, ask } = useRemark(kind, id)
  if (hasFailed) return <Failed retry={ask} />
  if (!remark) return <Skeleton lines={3} />
  const { version, body, author } = remark
  const draftKey = `staff ${kind} ${id} ${version}`
  const along = { version, ...(kind === 'comment' ? { commentId: id } : { replyId: id }) }
  return (
    <Post
      sends={kind === 'comment' ? editCommentAsStaff : editReplyAsStaff}
      along={along}
      draftKey={draftKey}
      deed={words('save')}
      close={close}
    >
      <EditorField label={words('text')} kind={kind} draftKey={draftKey} first={body} authorId={author.id} />
      <Field name="reason" label={words('reason')} help={words('editHelp')} maxLength={300} autoComplete="off" />
    </Post>
  )
}

export function AddComment({ topicId, close }: { topicId: string; close: () => void }) {
  const words = useWords('contentAdmin')
  const draftKey = `staff comment on ${topicId}`
  return (
    <Post sends={commentAsStaff} along={{ topicId }} draftKey={draftKey} deed={words('commentNow')} close={close}>
      <EditorField label={words('commentAs')} kind="comment" draftKey={draftKey} />
    </Post>
  )
}

export function AddReply({ commentId, answers, close }: { commentId: string; answers: string | null; close: () => void }) {
  const words = useWords('contentAdmin')
  const draftKey = `staff reply to ${commentId} ${answers ?? ''}`
  return (
    <Post
      sends={replyAsStaff}
      along={{ commentId, ...(answers && { answers }) }}
      draftKey={draftKey}
      deed={words('replyNow')}
      close={close}
    >
      <EditorField label={words('replyAs')} kind="reply" draftKey={draftKey} />
    </Post>
  )
}

type PostProps = { sends: Endpoint; along: Values; draftKey: string; deed: string; close: () => void; children: ReactNode }

function Post({ sends, along, draftKey, deed, close, children }: PostProps) {
  const words = useWords('site')
  return (
    <Form
      sends={sends}
      along={along}
      then={() => {
        clearDraft(draftKey)
        close()
      }}
    >
      <Unsaved />
      {children}
      <p className={css.deeds}>
        <Submit>{deed}</Submit>
        <button type="button" className="button quiet" onClick={close}>
          {words('cancel')}
        </button>
      </p>
    </Form>
  )
}

function useRemark(kind: Kind, id: string) {
  const api = useApi()
  const [remark, setRemark] = useState<Output<typeof remarkForStaff> | null>(null)
  const [tries, setTries] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isHere = true
    api.read<typeof remarkForStaff>('/admin/remark/view', { kind, id }).then(
      (found) => isHere && setRemark(found),
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
    return () => void (isHere = false)
  }, [api, kind, id, tries])

  function ask(): void {
    setFailed(false)
    setTries(tries + 1)
  }
  return { remark, hasFailed, ask }
}
