import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { SelectedRows } from '#base/admin/selection.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { feedbackList, handleFeedback, noteFeedbackExport, type removeFeedback, type restoreFeedback } from '#feedback/contract.ts'
import css from '#feedback/admin/feedback.module.css'

type Data = Output<typeof feedbackList>
type Feedback = Data['rows'][number]

export function Page() {
  const words = useWords('feedbackAdmin')
  const page = useLoaderData<Data>()
  const [open, setOpen] = useState<Feedback | null>(null)
  return (
    <>
      <h1>{words('feedback')}</h1>
      <p className="meta">{words('what')}</p>
      <StaffList
        of={feedbackList}
        exporting={noteFeedbackExport}
        page={page}
        cells={cellsIn(words, setOpen)}
        called={({ name }) => name}
        bulkActions={batch}
      />
      <Dialog title={words('handleTitle', { name: open?.name ?? '' })} isOpen={open !== null} close={() => setOpen(null)}>
        {open && (
          <VersionedForm item={page.rows.find(({ id }) => id === open.id) ?? open}>
            {(feedback) => <HandleForm feedback={feedback} onDone={() => setOpen(null)} />}
          </VersionedForm>
        )}
      </Dialog>
    </>
  )
}

function cellsIn(words: Translate, open: (feedback: Feedback) => void): CellsOf<typeof feedbackList> {
  return {
    who: {
      show: ({ name, contact, member }) => (
        <div className={css.who}>
          {member ? (
            <a href={`/user/control/home?userId=${member.id}`} target="_blank" rel="noopener">
              {name}
            </a>
          ) : (
            name
          )}
          <p className="meta">{contact}</p>
        </div>
      ),
      text: ({ name, contact }) => `${name} <${contact}>`,
    },
    content: { show: ({ content }) => <p className={css.content}>{content}</p> },
    handled: {
      show: ({ handledBy, remark, isDeleted }) => (
        <>
          {isDeleted && <span className="mark">{words('deleted')}</span>} {handledBy ?? words('open')}
          {remark && <p className="meta">{remark}</p>}
        </>
      ),
      text: ({ handledBy, remark }) => [handledBy, remark].filter(Boolean).join(': '),
    },
    actions: {
      show: (feedback) => (
        <button type="button" className="plain" onClick={() => open(feedback)}>
          {words('handle')}
        </button>
      ),
    },
  }
}

function HandleForm({ feedback, onDone }: { feedback: Feedback; onDone: () => void }) {
  const words = useWords('feedbackAdmin')
  return (
    <>
      <p className={css.content}>{feedback.content}</p>
      <Form endpoint={handleFeedback} extra={{ feedbackId: feedback.id, version: feedback.version }} onSuccess={onDone}>
        <UnsavedGuard />
        <Field name="isHandled" type="checkbox" label={words('isHandled')} help={words('isHandledHelp')} defaultChecked />
        <TextField
          name="remark"
          label={words('remark')}
          help={words('remarkHelp')}
          defaultValue={feedback.remark}
          maxLength={1_000}
          rows={3}
        />
        <Submit>{words('save')}</Submit>
      </Form>
    </>
  )
}

function batch(chosen: SelectedRows<Feedback>, done: () => void) {
  return <Batch chosen={chosen} onDone={done} />
}

function Batch({ chosen: { rows, count, isLowerBound, which }, onDone }: { chosen: SelectedRows<Feedback>; onDone: () => void }) {
  const words = useWords('feedbackAdmin')
  const remove = useAction<typeof removeFeedback>('/admin/feedback/remove')
  const restore = useAction<typeof restoreFeedback>('/admin/feedback/restore')

  async function takeOff(): Promise<void> {
    if (!(await confirm(words('removeAsk', { count, more: isLowerBound ? 'yes' : 'no' }), words('remove')))) return
    if (await remove.run(which)) onDone()
  }

  async function putBack(): Promise<void> {
    if (await restore.run(which)) onDone()
  }

  return rows.some(({ isDeleted }) => isDeleted) ? (
    <button type="button" className="button quiet" disabled={restore.isBusy} onClick={() => void putBack()}>
      {words('restore')}
    </button>
  ) : (
    <button type="button" className="button quiet" disabled={remove.isBusy} onClick={() => void takeOff()}>
      {words('remove')}
    </button>
  )
}
