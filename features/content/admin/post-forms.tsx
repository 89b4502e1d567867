import { useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint, Output } from '#base/contract.ts'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { clearDraft } from '#base/web/editor/draft-place.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import type { Values } from '#base/web/form-values.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { PostClash, useBegun, type Found } from '#content/admin/clash.tsx'
import { EditorField } from '#content/admin/editor-field.tsx'
import { useRemark } from '#content/admin/one-remark.ts'
import {
  commentAsStaff,
  editCommentAsStaff,
  editReplyAsStaff,
  editTopicAsStaff,
  replyAsStaff,
  type topicForStaff,
} from '#content/contract.ts'
import { me } from '#staff/admin/staff.tsx'
import clash from '#base/admin/clash.module.css'
import css from '#content/admin/content.module.css'

type Topic = Output<typeof topicForStaff>
type Kind = 'comment' | 'reply'

type EditTopicProps = { topic: Topic; close: () => void }

export function EditTopic({ topic, close }: EditTopicProps) {
  const { revalidate } = useRevalidator()
  const what = { kind: 'topic', draftKey: `staff topic ${topic.id}`, found: topic } as const
  return <Edit {...what} sends={editTopicAsStaff} along={{ topicId: topic.id }} reload={() => void revalidate()} close={close} />
}

/** A comment or a reply as it was written is asked for once, when its form opens. */
export function EditRemark({ kind, id, close }: { kind: Kind; id: string; close: () => void }) {
  const { remark, hasFailed, ask } = useRemark(kind, id)
  if (hasFailed) return <Failed retry={ask} />
  if (!remark) return <Skeleton lines={3} />
  const what = { kind, draftKey: `staff ${kind} ${id}`, found: remark, reload: ask, close }
  if (kind === 'comment') return <Edit {...what} sends={editCommentAsStaff} along={{ commentId: id }} />
  return <Edit {...what} sends={editReplyAsStaff} along={{ replyId: id }} />
}

type EditProps = {
  kind: Kind | 'topic'
  sends: Endpoint
  along: Values
  draftKey: string
  found: Found
  reload: () => void
  close: () => void
}

function Edit(props: EditProps) {
  const [round, begin] = useState(0)
  function beginAnew(): void {
    clearDraft(props.draftKey)
    begin(round + 1)
  }
  return <Editing key={round} {...props} takeTheirs={beginAnew} />
}

function Editing({ kind, sends, along, draftKey, found, reload, takeTheirs, close }: EditProps & { takeTheirs: () => void }) {
  const words = useWords('contentAdmin')
  const { begun, first, keep, goOnFrom } = useBegun(draftKey, found.version)
  const [at] = useState(found)
  return (
    <Post sends={sends} along={{ ...along, version: begun }} draftKey={draftKey} deed={words('save')} close={close}>
      <div className={clash.beside} onInput={keep}>
        <PostClash {...{ begun, found, reload, takeTheirs }} keepMine={() => goOnFrom(found.version)} />
        <div>
          {at.title !== undefined && (
            <Field name="title" label={words('title')} defaultValue={first['title'] ?? at.title} maxLength={90} autoComplete="off" />
          )}
          <EditorField label={words('text')} kind={kind} draftKey={draftKey} first={at.body} authorId={at.author.id} />
          <Field
            name="reason"
            label={words('reason')}
            help={words('editHelp')}
            defaultValue={first['reason']}
            maxLength={300}
            autoComplete="off"
          />
          {at.state !== 'pending' && at.state !== 'rejected' && (
            <Field
              name="withholds"
              type="checkbox"
              label={words('withholds')}
              help={words('withholdsHelp')}
              defaultChecked={at.author.id !== me.get()?.memberId}
            />
          )}
        </div>
      </div>
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
