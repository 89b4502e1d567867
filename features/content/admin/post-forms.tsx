import { useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Field } from '#base/web/form.tsx'
import type { KeptFields } from '#base/web/kept-fields.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { useRemark } from '#content/admin/one-remark.ts'
import {
  commentAsStaff,
  editCommentAsStaff,
  editReplyAsStaff,
  editTopicAsStaff,
  replyAsStaff,
  type remarkForStaff,
  type topicForStaff,
} from '#content/contract.ts'
import { me } from '#staff/admin/staff.tsx'
import { EditorField, EditPost, PostForm } from '#writing/admin/writing.tsx'
import type { RemarkKind } from '#kind/contract.ts'

type Topic = Output<typeof topicForStaff>
type EditTopicProps = { topic: Topic; close: () => void }

export function EditTopic({ topic, close }: EditTopicProps) {
  const { revalidate } = useRevalidator()
  const what = { kind: 'topic', draftKey: `topic ${topic.id}`, found: topic, below, close } as const
  return <EditPost {...what} sends={editTopicAsStaff} along={{ topicId: topic.id }} reload={() => void revalidate()} />
}

/** A comment or a reply as it was written is asked for once, when its form opens. */
export function EditRemark({ kind, id, close }: { kind: RemarkKind; id: string; close: () => void }) {
  const { remark, hasFailed, ask } = useRemark(kind, id)
  if (hasFailed) return <Failed retry={ask} />
  if (!remark) return <Skeleton lines={3} />
  const what = { kind, draftKey: `${kind} ${id}`, found: remark, reload: ask, below, close }
  if (kind === 'comment') return <EditPost {...what} sends={editCommentAsStaff} along={{ commentId: id }} />
  return <EditPost {...what} sends={editReplyAsStaff} along={{ replyId: id }} />
}

function below(first: KeptFields['first'], at: BelowProps['at']) {
  return <Below first={first} at={at} />
}

type BelowProps = { first: KeptFields['first']; at: Pick<Output<typeof remarkForStaff>, 'state' | 'author'> }

function Below({ first, at: { state, author } }: BelowProps) {
  const words = useWords('contentAdmin')
  return (
    <>
      <Field
        name="reason"
        label={words('reason')}
        help={words('editHelp')}
        defaultValue={first['reason']}
        maxLength={300}
        autoComplete="off"
      />
      {state !== 'pending' && state !== 'rejected' && (
        <Field
          name="withholds"
          type="checkbox"
          label={words('withholds')}
          help={words('withholdsHelp')}
          defaultChecked={author.id !== me.get()?.memberId}
        />
      )}
    </>
  )
}

export function AddComment({ topicId, close }: { topicId: string; close: () => void }) {
  const words = useWords('contentAdmin')
  const draftKey = `comment on ${topicId}`
  return (
    <PostForm sends={commentAsStaff} along={{ topicId }} draftKey={draftKey} deed={words('commentNow')} close={close}>
      <EditorField label={words('commentAs')} kind="comment" draftKey={draftKey} />
    </PostForm>
  )
}

export function AddReply({ commentId, answers, close }: { commentId: string; answers: string | null; close: () => void }) {
  const words = useWords('contentAdmin')
  const draftKey = `reply to ${commentId} ${answers ?? ''}`
  return (
    <PostForm
      sends={replyAsStaff}
      along={{ commentId, ...(answers && { answers }) }}
      draftKey={draftKey}
      deed={words('replyNow')}
      close={close}
    >
      <EditorField label={words('replyAs')} kind="reply" draftKey={draftKey} />
    </PostForm>
  )
}
