import { useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { SelectField, Form } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { FormEnd, type Source } from '#content/admin/move-dialog.tsx'
import { TopicChoice } from '#content/admin/topic-choice.tsx'
import { mergeTopics } from '#content/move-contract.ts'
import type { PlaceView } from '#tag/contract.ts'
import css from '#content/admin/content.module.css'

type MergeDialogProps = { topics: readonly Source[]; close: () => void; onDone: () => void }

/** The dialog that merges topics: several into one of them, or one into another. */
export function MergeDialog({ topics, close, onDone }: MergeDialogProps) {
  const words = useWords('contentAdmin')
  const [first] = topics
  const title = topics.length === 1 ? words('mergingTitle', { title: first?.title ?? '' }) : words('mergingMany', { count: topics.length })
  return (
    <Dialog title={title} isOpen close={close}>
      {topics.length === 1 ? <IntoAnother topics={topics} onDone={onDone} /> : <IntoOne topics={topics} onDone={onDone} />}
    </Dialog>
  )
}

type IntoProps = Omit<MergeDialogProps, 'close'>

function IntoAnother({ topics, onDone }: IntoProps) {
  const words = useWords('contentAdmin')
  const [to, setTo] = useState<PlaceView | null>(null)
  const topicIds = topics.map(({ id }) => id)
  const merged = useMerged(onDone)
  return (
    <Form endpoint={mergeTopics} extra={{ topicIds }} onSuccess={merged}>
      <TopicChoice name="to" label={words('intoTopic')} but={topicIds} choose={(one) => setTo(one?.place ?? null)} />
      <MergeSummary going={topics} />
      <FormEnd from={topics} to={to} action={words('doMerge')} />
    </Form>
  )
}

function IntoOne({ topics, onDone }: IntoProps) {
  const words = useWords('contentAdmin')
  const [stays, setStays] = useState(topics[0]?.id ?? '')
  const going = topics.filter(({ id }) => id !== stays)
  const merged = useMerged(onDone)
  return (
    <Form endpoint={mergeTopics} extra={{ topicIds: going.map(({ id }) => id), to: stays }} onSuccess={merged}>
      <SelectField name="to" label={words('whichStays')} value={stays} onChange={({ target }) => setStays(target.value)} data-first>
        {topics.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <MergeSummary going={going} />
      <FormEnd from={going} to={topics.find(({ id }) => id === stays)?.place ?? null} action={words('doMerge')} />
    </Form>
  )
}

function MergeSummary({ going }: { going: readonly Source[] }) {
  const words = useWords('contentAdmin')
  return (
    <>
      {going.length > 1 && (
        <ul className={css.left}>
          {going.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ul>
      )}
      <p className="meta">{words('mergeWhat')}</p>
    </>
  )
}

function useMerged(done: () => void) {
  const words = useWords('contentAdmin')
  return ({ moved }: { moved: number }) => {
    toast(words('moved', { of: 'both', count: moved }))
    done()
  }
}
