import { useState } from 'react'
import type { SelectedRows } from '#base/admin/selection.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { AboutBatch, Batch, type Finish, type BulkAction } from '#batch/admin/batch.tsx'
import { TagChoice, type Places } from '#content/admin/tag-choice.tsx'
import { AudienceChange } from '#content/admin/audience-change.tsx'
import { doAtOnce } from '#content/contract.ts'
import { bulkActionNames, rightOf, type BulkActionName } from '#content/views.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { PlaceView } from '#tag/contract.ts'
import type { Kind } from '#kind/contract.ts'

type RowWithPlace = { place: PlaceView }

/** The actions for the bar above a list of posts. */
export function usePostBatch<Row extends RowWithPlace>(kind: Kind, tags: Places, further?: BulkAction<Row>) {
  const words = useWords('contentAdmin')
  const offers = bulkActionNames
    .filter((name) => name.startsWith(`${kind}.`) && mayDo(rightOf[name]))
    .map((action): BulkAction<Row> => {
      const label = words(actionWords[action], { of: 'any' })
      return {
        name: action,
        label,
        form: (chosen, finish) => <PostForm action={action} label={label} chosen={chosen} tags={tags} finish={finish} />,
      }
    })
  const all = further && mayDo('content.edit') ? [...offers, further] : offers
  return (chosen: SelectedRows<Row>, done: () => void) => <Batch offers={all} chosen={chosen} onDone={done} />
}

type PostFormProps = { action: BulkActionName; label: string; chosen: SelectedRows<RowWithPlace>; tags: Places; finish: Finish }

function PostForm({ action, label, chosen, tags, finish }: PostFormProps) {
  const words = useWords('contentAdmin')
  const [to, setTo] = useState<PlaceView | null>(null)
  return (
    <Form endpoint={doAtOnce} extra={{ action, ...chosen.which }} onSuccess={finish}>
      {action === 'topic.move' && (
        <>
          <TagChoice tags={tags} label={words('toTag')} isFirst choose={(one) => setTo(one?.place ?? null)} />
          <AudienceChange from={chosen.rows.map(({ place }) => place)} to={to} />
        </>
      )}
      <TextField
        name="reason"
        label={words('reason')}
        help={words(action.endsWith('.remove') ? 'reasonsTold' : 'reasonHelp')}
        maxLength={300}
        rows={2}
        data-first
      />
      <AboutBatch chosen={chosen} />
      <Submit danger={action.endsWith('.remove')}>{label}</Submit>
    </Form>
  )
}

export function inSequence(first: () => void, second: () => void) {
  return () => {
    first()
    second()
  }
}

const actionWords: Readonly<Record<BulkActionName, string>> = {
  'topic.remove': 'doRemove',
  'topic.restore': 'doRestore',
  'topic.move': 'doMove',
  'topic.feature': 'doFeature',
  'topic.unfeature': 'doUnfeature',
  'topic.unpin': 'doUnpin',
  'topic.sink': 'doSink',
  'topic.raise': 'doRaise',
  'topic.close': 'doClose',
  'topic.open': 'doOpen',
  'topic.ask': 'doAsk',
  'topic.tell': 'doTell',
  'topic.labelAi': 'doLabelAi',
  'topic.unlabelAi': 'doUnlabelAi',
  'comment.labelAi': 'doLabelAi',
  'comment.unlabelAi': 'doUnlabelAi',
  'reply.labelAi': 'doLabelAi',
  'reply.unlabelAi': 'doUnlabelAi',
  'comment.remove': 'doRemove',
  'comment.restore': 'doRestore',
  'comment.adopt': 'doAdopt',
  'comment.unadopt': 'doUnadopt',
  'reply.remove': 'doRemove',
  'reply.restore': 'doRestore',
}
