import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { AboutBatch } from '#batch/admin/batch.tsx'
import { TagChoice, type Places } from '#content/admin/tag-choice.tsx'
import { TopicChoice } from '#content/admin/topic-choice.tsx'
import { AudienceChange } from '#content/admin/audience-change.tsx'
import { moveComments, splitTopic } from '#content/move-contract.ts'
import type { ThreadKind } from '#kind/contract.ts'
import type { PlaceView } from '#tag/contract.ts'
import css from '#content/admin/content.module.css'

export type Source = { id: string; title: string; place: PlaceView }
/** With the kind of thread, for the names of its posts. */
export type KindSource = Source & { kind: ThreadKind }
type MoveDialogProps = { topic: KindSource; commentIds: readonly string[]; tags: Places; close: () => void; onDone: () => void }

/** The dialog that moves selected comments of a topic to a new topic or an existing one. */
export function MoveDialog({ topic, commentIds, tags, close, onDone }: MoveDialogProps) {
  const words = useWords('contentAdmin', { of: topic.kind })
  const [isNew, setNew] = useState(true)
  const its = { topic, commentIds, onDone }
  return (
    <Dialog title={words('movingTitle', { count: commentIds.length })} isOpen close={close}>
      <fieldset className={css.either}>
        <legend>{words('whereTo')}</legend>
        <label>
          <input type="radio" name="where" checked={isNew} onChange={() => setNew(true)} /> {words('toNewTopic')}
        </label>
        <label>
          <input type="radio" name="where" checked={!isNew} onChange={() => setNew(false)} /> {words('toKnownTopic')}
        </label>
      </fieldset>
      {isNew ? <MoveToNewTopic {...its} tags={tags} /> : <MoveToTopic {...its} />}
    </Dialog>
  )
}

type MoveToProps = Omit<MoveDialogProps, 'close' | 'tags'>

function MoveToNewTopic({ topic, commentIds, tags, onDone }: MoveToProps & { tags: Places }) {
  const words = useWords('contentAdmin', { of: topic.kind })
  const go = useNavigate()
  const [to, setTo] = useState<PlaceView | null>(topic.place)
  return (
    <Form
      endpoint={splitTopic}
      extra={{ topicId: topic.id, commentIds }}
      onSuccess={({ topicId, moved }) => {
        toast(words('moved', { count: moved }))
        onDone()
        return go(`/admin/topic/view?topicId=${topicId}`)
      }}
    >
      <p className="meta">{words('splitWhat')}</p>
      <Field name="title" label={words('title')} maxLength={90} autoComplete="off" data-first required />
      <TagChoice tags={tags} label={words('tag')} first={topic.place.id} choose={(one) => setTo(one?.place ?? null)} />
      <FormEnd from={[topic]} to={to} action={words('doSplit')} />
    </Form>
  )
}

function MoveToTopic({ topic, commentIds, onDone }: MoveToProps) {
  const words = useWords('contentAdmin', { of: topic.kind })
  const [to, setTo] = useState<PlaceView | null>(null)
  return (
    <Form
      endpoint={moveComments}
      extra={{ topicId: topic.id, commentIds }}
      onSuccess={({ moved }) => {
        toast(words('moved', { count: moved }))
        onDone()
      }}
    >
      <p className="meta">{words('moveWhat')}</p>
      <TopicChoice name="to" label={words('toTopic')} but={[topic.id]} choose={(one) => setTo(one?.place ?? null)} />
      <FormEnd from={[topic]} to={to} action={words('doMoveComments')} />
    </Form>
  )
}

type FormEndProps = { from: readonly Source[]; to: PlaceView | null; action: ReactNode }

/** The end of such a form: notes, reason and button. */
export function FormEnd({ from, to, action }: FormEndProps) {
  const words = useWords('contentAdmin')
  return (
    <>
      <UnsavedGuard />
      <AudienceChange from={from.map(({ place }) => place)} to={to} />
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={300} rows={2} />
      <AboutBatch />
      <Submit>{action}</Submit>
    </>
  )
}
