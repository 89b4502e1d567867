import { useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Field } from '#base/web/form.tsx'
import type { StoredFields } from '#base/editor/stored-fields.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { remarks, useRemark } from '#content/admin/remarks.ts'
import { addRemarkAsStaff, editRemarkAsStaff, editTopicAsStaff, type remarkForStaff, type topicForStaff } from '#content/contract.ts'
import { me } from '#staff/admin/staff.tsx'
import { EditorField, EditPost, PostForm } from '#writing/admin/writing.tsx'
import type { RemarkKind, ThreadKind } from '#kind/contract.ts'

type Topic = Output<typeof topicForStaff>
type EditTopicProps = { topic: Topic; close: () => void }

export function EditTopic({ topic, close }: EditTopicProps) {
  const { revalidate } = useRevalidator()
  const what = { kind: 'topic', draftKey: `topic ${topic.id}`, found: topic, below: renderFieldsBelow, close } as const
  return <EditPost {...what} sends={editTopicAsStaff} along={{ topicId: topic.id }} reload={() => void revalidate()} />
}

/** The source of a comment or a reply is loaded once, when the form opens. */
export function EditRemark({ kind, id, close }: { kind: RemarkKind; id: string; close: () => void }) {
  const { remark, hasFailed, ask } = useRemark(kind, id)
  if (hasFailed) return <Failed retry={ask} />
  if (!remark) return <Skeleton lines={3} />
  const what = { kind, draftKey: `${kind} ${id}`, found: remark, reload: ask, below: renderFieldsBelow, close }
  return <EditPost {...what} sends={editRemarkAsStaff} along={{ kind, id }} />
}

function renderFieldsBelow(first: StoredFields['initial'], at: FieldsBelowProps['at']) {
  return <FieldsBelow first={first} at={at} />
}

type FieldsBelowProps = { first: StoredFields['initial']; at: Pick<Output<typeof remarkForStaff>, 'state' | 'author'> }

function FieldsBelow({ first, at: { state, author } }: FieldsBelowProps) {
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

type AddRemarkProps = {
  kind: RemarkKind
  thread?: ThreadKind
  /** The topic or the comment. */ under: string
  /** A reply to answer. */ refersTo?: string | undefined
  draftKey: string
  close: () => void
}

export function AddRemark({ kind, thread = 'topic', under, refersTo, draftKey, close }: AddRemarkProps) {
  const words = useWords('contentAdmin')
  const { words: says } = remarks[kind]
  return (
    <PostForm
      sends={addRemarkAsStaff}
      along={{ kind, under, refersTo }}
      draftKey={draftKey}
      action={words(says.now, { of: thread })}
      close={close}
    >
      <EditorField label={words(says.as, { of: thread })} kind={kind} draftKey={draftKey} />
    </PostForm>
  )
}
