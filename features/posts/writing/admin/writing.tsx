import { useState, type ReactNode } from 'react'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Endpoint } from '#base/contract.ts'
import { clearDraft } from '#base/editor/draft-store.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import type { FormValues } from '#base/web/form-values.ts'
import type { StoredFields } from '#base/editor/stored-fields.ts'
import { useWords } from '#base/web/words.tsx'
import { ownDraftKey } from '#staff/admin/staff.tsx'
import { ConflictView, useDraftBase, type EditConflict } from '#writing/admin/edit-conflict.tsx'
import { EditorField } from '#writing/admin/editor-field.tsx'
import clash from '#base/admin/clash.module.css'
import css from '#writing/admin/writing.module.css'
import type { Kind } from '#kind/contract.ts'

export { EditorField }

type EditPostProps<Post> = {
  kind: Kind
  sends: Endpoint
  /** The ids of the post; its version is added. */
  along: FormValues
  draftKey: string
  /** The present content; the form begins with that at the time it was opened. */
  found: Post
  /** Loads the present content after a conflict. */
  reload: () => void
  close: () => void
  below?: (first: StoredFields['initial'], at: Post) => ReactNode
}

/** The form in which staff edit a post. The draft stays on this device until it is saved, and never overwrites another editor's change. */
export function EditPost<Post extends EditConflict>(props: EditPostProps<Post>) {
  const [round, begin] = useState(0)
  function beginAnew(): void {
    clearDraft(ownDraftKey(props.draftKey))
    begin(round + 1)
  }
  return <Editing key={round} {...props} takeTheirs={beginAnew} />
}

type EditingProps<Post> = EditPostProps<Post> & { takeTheirs: () => void }

function Editing<Post extends EditConflict>(props: EditingProps<Post>) {
  const { kind, sends, along, draftKey, found, reload, takeTheirs, close, below } = props
  const words = useWords('writingAdmin')
  const { begun, first, keep, goOnFrom } = useDraftBase(ownDraftKey(draftKey), found.version)
  const [at] = useState(found)
  return (
    <PostForm sends={sends} along={{ ...along, version: begun }} draftKey={draftKey} action={words('save')} close={close}>
      <div className={clash.beside} onInput={keep}>
        <ConflictView {...{ begun, found, reload, takeTheirs }} keepMine={() => goOnFrom(found.version)} />
        <div>
          {at.title !== undefined && (
            <Field name="title" label={words('title')} defaultValue={first['title'] ?? at.title} maxLength={90} autoComplete="off" />
          )}
          <EditorField label={words('text')} kind={kind} draftKey={draftKey} first={at.body} authorId={at.author.id} />
          {below?.(first, at)}
        </div>
      </div>
    </PostForm>
  )
}

type PostFormProps = { sends: Endpoint; along: FormValues; draftKey: string; action: string; close: () => void; children: ReactNode }

/** The form around staff's editor: it asks before it is left, and deletes the draft once it is sent. */
export function PostForm({ sends, along, draftKey, action, close, children }: PostFormProps) {
  const words = useWords('site')
  return (
    <Form
      endpoint={sends}
      extra={along}
      onSuccess={() => {
        clearDraft(ownDraftKey(draftKey))
        close()
      }}
    >
      <UnsavedGuard />
      {children}
      <p className={css.actions}>
        <Submit>{action}</Submit>
        <button type="button" className="button quiet" onClick={close}>
          {words('cancel')}
        </button>
      </p>
    </Form>
  )
}
