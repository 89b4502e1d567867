import { useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { Chosen } from '#base/admin/selection.ts'
import type { Output } from '#base/contract.ts'
import { mostAtOnce } from '#base/list.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { keyOf } from '#content/admin/batch-words.ts'
import { Faults } from '#content/admin/left.tsx'
import { TagChoice, type Places } from '#content/admin/tag-choice.tsx'
import { WhoMayLook } from '#content/admin/who-may-look.tsx'
import { doAtOnce } from '#content/contract.ts'
import { useUndo } from '#content/admin/undo.ts'
import { deedNames, type DeedName, type Kind } from '#content/views.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { PlaceView } from '#tag/contract.ts'
import css from '#content/admin/content.module.css'

type BatchProps<Row> = { kind: Kind; chosen: Chosen<Row>; done: () => void; tags: Places; further: Further<Row> | undefined }
/** A deed to all that is selected together, with a dialog of its own. */
export type Further<Row> = { label: string; ask: (rows: readonly Row[], close: () => void, done: () => void) => ReactNode }
type Done = Output<typeof doAtOnce>

/** For the bar above a list. */
export function batchOf<Row extends { place: PlaceView }>(kind: Kind, tags: Places, further?: Further<Row>) {
  return (chosen: Chosen<Row>, done: () => void) => <Batch kind={kind} chosen={chosen} done={done} tags={tags} further={further} />
}

export function both(first: () => void, second: () => void) {
  return () => {
    first()
    second()
  }
}

/** What can be done with all that is selected. What could not be done is told thing by thing. */
function Batch<Row extends { place: PlaceView }>({ kind, chosen, done, tags, further }: BatchProps<Row>) {
  const words = useWords('contentAdmin')
  const [deed, setDeed] = useState<DeedName | null>(null)
  const [isFurther, setFurther] = useState(false)
  const [result, setResult] = useState<Done | null>(null)
  const tell = useTell()
  const { revalidate } = useRevalidator()
  const chose = (name: string) => (name === 'further' ? setFurther(true) : setDeed(name as DeedName))
  const offered = deedNames.filter((name) => name.startsWith(`${kind}.`) && mayDo(rightFor(name)))

  // What could not be done is read before the list is loaded again, for with its last row the selection goes, and this with it.
  function finish(answer: Done): void | Promise<void> {
    setDeed(null)
    if (answer.faults.length > 0) return Promise.resolve(setResult(answer))
    tell(answer)
    done()
  }

  function read(): void {
    setResult(null)
    done()
    void revalidate()
  }

  return (
    <>
      <select className={css.choose} aria-label={words('deed')} value="" onChange={({ target }) => chose(target.value)}>
        <option value="">{words('deed')}</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {words(keyOf(name))}
          </option>
        ))}
        {further && chosen.which.ids && mayDo('content.edit') && <option value="further">{further.label}</option>}
      </select>
      {further && isFurther && further.ask(chosen.rows, () => setFurther(false), done)}
      <Dialog
        title={deed ? words('batchTitle', { deed: words(keyOf(deed)), count: chosen.count, more: chosen.isMore ? 'yes' : 'no' }) : ''}
        isOpen={deed !== null}
        close={() => setDeed(null)}
      >
        {deed && <BatchForm deed={deed} chosen={chosen} tags={tags} then={finish} />}
      </Dialog>
      <Partly result={result} close={read} />
    </>
  )
}

function Partly({ result, close }: { result: Done | null; close: () => void }) {
  const words = useWords('contentAdmin')
  return (
    <Dialog
      title={words('batchPartly', { count: result?.batch.done ?? 0, left: result?.faults.length ?? 0 })}
      isOpen={result !== null}
      close={close}
    >
      <Faults faults={result?.faults ?? []} total={result?.batch.faults ?? 0} />
    </Dialog>
  )
}

/** Says what was done, and offers to undo it. */
function useTell() {
  const words = useWords('contentAdmin')
  const undo = useUndo(({ batch, left }) => say(words('undonePartly', { count: batch.undone, left: left.length }), { isPersistent: true }))
  return ({ batch }: Done) => {
    if (batch.state === 'done') say(words('batchDone', { count: batch.done }), { label: words('undo'), retry: () => void undo.take(batch) })
    else say(words('batchBegun', { count: batch.total }))
  }
}

type BatchFormProps = { deed: DeedName; chosen: Chosen<{ place: PlaceView }>; tags: Places; then: (answer: Done) => void | Promise<void> }

function BatchForm({ deed, chosen, tags, then }: BatchFormProps) {
  const words = useWords('contentAdmin')
  const [to, setTo] = useState<PlaceView | null>(null)
  return (
    <Form sends={doAtOnce} along={{ deed, ...chosen.which }} then={then}>
      {deed === 'topic.move' && (
        <>
          <TagChoice tags={tags} label={words('toTag')} isFirst choose={(one) => setTo(one?.place ?? null)} />
          <WhoMayLook from={chosen.rows.map(({ place }) => place)} to={to} />
        </>
      )}
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={300} rows={2} data-first />
      {chosen.which.all && <p className="meta">{words('allAtThatMoment', { most: mostAtOnce })}</p>}
      <p className="meta">
        {words('canBeUndone')} <Link to="/admin/batch">{words('batches')}</Link>
      </p>
      <Submit danger={deed.endsWith('.remove')}>{words(keyOf(deed))}</Submit>
    </Form>
  )
}

function rightFor(deed: DeedName): 'content.remove' | 'content.edit' {
  return /remove|restore/.test(deed) ? 'content.remove' : 'content.edit'
}
