import { useState, type ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { TagChoice, type Places } from '#content/admin/tag-choice.tsx'
import { WhoMayLook } from '#content/admin/who-may-look.tsx'
import { doAtOnce } from '#content/contract.ts'
import { useUndo } from '#content/admin/undo.ts'
import { deedNames, type DeedName, type Kind } from '#content/views.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { PlaceView } from '#tag/contract.ts'
import css from '#content/admin/content.module.css'

type BatchProps = { kind: Kind; ids: readonly string[]; done: () => void; tags: Places; further: Further | undefined }
/** A deed to all that is selected together, with a dialog of its own. */
export type Further = {
  label: string
  places?: (ids: readonly string[]) => PlaceView[]
  ask: (ids: readonly string[], close: () => void, done: () => void) => ReactNode
}
type Done = Output<typeof doAtOnce>

/** For the bar above a list. */
export function batchOf(kind: Kind, tags: Places, further?: Further) {
  return (ids: readonly string[], done: () => void) => <Batch kind={kind} ids={ids} done={done} tags={tags} further={further} />
}

export function both(first: () => void, second: () => void) {
  return () => {
    first()
    second()
  }
}

/** What can be done with all that is selected. What could not be done is told thing by thing. */
function Batch({ kind, ids, done, tags, further }: BatchProps) {
  const words = useWords('contentAdmin')
  const [deed, setDeed] = useState<DeedName | null>(null)
  const [isFurther, setFurther] = useState(false)
  const [result, setResult] = useState<Done | null>(null)
  const tell = useTell()
  const offered = deedNames.filter((name) => name.startsWith(`${kind}.`) && mayDo(rightFor(name)))

  function finish(answer: Done): void {
    setDeed(null)
    if (answer.faults.length > 0) return setResult(answer)
    tell(deed, answer)
    done()
  }

  function chose(name: string): void {
    if (name === 'further') setFurther(true)
    else setDeed(name as DeedName)
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
        {further && mayDo('content.edit') && <option value="further">{further.label}</option>}
      </select>
      {further && isFurther && further.ask(ids, () => setFurther(false), done)}
      <Dialog
        title={deed ? words('batchTitle', { deed: words(keyOf(deed)), count: ids.length }) : ''}
        isOpen={deed !== null}
        close={() => setDeed(null)}
      >
        {deed && <BatchForm deed={deed} ids={ids} tags={tags} from={further?.places?.(ids) ?? []} then={finish} />}
      </Dialog>
      <Partly result={result} close={both(() => setResult(null), done)} />
    </>
  )
}

function Partly({ result, close }: { result: Done | null; close: () => void }) {
  const words = useWords('contentAdmin')
  return (
    <Dialog
      title={words('batchPartly', { count: result?.done ?? 0, left: result?.faults.length ?? 0 })}
      isOpen={result !== null}
      close={close}
    >
      <Faults faults={result?.faults ?? []} />
    </Dialog>
  )
}

/** Says what was done, and offers to undo it. */
function useTell() {
  const words = useWords('contentAdmin')
  const undo = useUndo(({ undone, left }) => say(words('undonePartly', { count: undone, left: left.length }), { isPersistent: true }))
  return (deed: DeedName | null, { batchId, done }: Done) => {
    const batch = { batchId, deed: deed ? words(keyOf(deed)) : '', done }
    say(words('batchDone', { count: done }), { label: words('undo'), retry: () => void undo.take(batch) })
  }
}

/** What was left alone, and why. */
export function Faults({ faults }: { faults: Done['faults'] }) {
  const words = useWords('contentAdmin')
  return (
    <ul className={css.left}>
      {faults.map(({ id, why }) => (
        <li key={id}>
          {words('numbered', { id })} {why}
        </li>
      ))}
    </ul>
  )
}

type BatchFormProps = { deed: DeedName; ids: readonly string[]; tags: Places; from: readonly PlaceView[]; then: (answer: Done) => void }

function BatchForm({ deed, ids, tags, from, then }: BatchFormProps) {
  const words = useWords('contentAdmin')
  const [to, setTo] = useState<PlaceView | null>(null)
  return (
    <Form sends={doAtOnce} along={{ deed, ids }} then={then}>
      {deed === 'topic.move' && (
        <>
          <TagChoice tags={tags} label={words('toTag')} isFirst choose={(one) => setTo(one?.place ?? null)} />
          <WhoMayLook from={from} to={to} />
        </>
      )}
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={300} rows={2} data-first />
      <p className="meta">
        {words('canBeUndone')} <Link to="/admin/batch">{words('batches')}</Link>
      </p>
      <Submit danger={deed.endsWith('.remove')}>{words(keyOf(deed))}</Submit>
    </Form>
  )
}

/** `topic.remove` is worded as `doRemove`. */
export function keyOf(deed: string): string {
  const [, name = ''] = deed.split('.')
  return `do${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function rightFor(deed: DeedName): 'content.remove' | 'content.edit' {
  return /remove|restore/.test(deed) ? 'content.remove' : 'content.edit'
}
