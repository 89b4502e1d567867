import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Choice, Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { TagOptions, type Places } from '#content/admin/content-filters.tsx'
import { doAtOnce } from '#content/contract.ts'
import { deedNames, type DeedName, type Kind } from '#content/views.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#content/admin/content.module.css'

type BatchProps = { kind: Kind; ids: readonly string[]; done: () => void; tags: Places }
type Done = Output<typeof doAtOnce>

/** For the bar above a list. */
export function batchOf(kind: Kind, tags: Places) {
  return (ids: readonly string[], done: () => void) => <Batch kind={kind} ids={ids} done={done} tags={tags} />
}

/** What can be done with all that is selected. What could not be done is told thing by thing. */
function Batch({ kind, ids, done, tags }: BatchProps) {
  const words = useWords('contentAdmin')
  const [deed, setDeed] = useState<DeedName | null>(null)
  const [result, setResult] = useState<Done | null>(null)
  const offered = deedNames.filter((name) => name.startsWith(`${kind}.`) && mayDo(rightFor(name)))

  function finish(answer: Done): void {
    setDeed(null)
    if (answer.faults.length > 0) return setResult(answer)
    say(words('batchDone', { count: answer.done }))
    done()
  }

  return (
    <>
      <select className={css.choose} aria-label={words('deed')} value="" onChange={({ target }) => setDeed(target.value as DeedName)}>
        <option value="">{words('deed')}</option>
        {offered.map((name) => (
          <option key={name} value={name}>
            {words(keyOf(name))}
          </option>
        ))}
      </select>
      <Dialog
        title={deed ? words('batchTitle', { deed: words(keyOf(deed)), count: ids.length }) : ''}
        isOpen={deed !== null}
        close={() => setDeed(null)}
      >
        {deed && <BatchForm deed={deed} ids={ids} tags={tags} then={finish} />}
      </Dialog>
      <Dialog
        title={words('batchPartly', { count: result?.done ?? 0, left: result?.faults.length ?? 0 })}
        isOpen={result !== null}
        close={() => {
          setResult(null)
          done()
        }}
      >
        <Faults faults={result?.faults ?? []} />
      </Dialog>
    </>
  )
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

type BatchFormProps = { deed: DeedName; ids: readonly string[]; tags: Places; then: (answer: Done) => void }

function BatchForm({ deed, ids, tags, then }: BatchFormProps) {
  const words = useWords('contentAdmin')
  return (
    <Form sends={doAtOnce} along={{ deed, ids }} then={then}>
      {deed === 'topic.move' && (
        <Choice name="tagId" label={words('toTag')} defaultValue="" data-first>
          <option value="">{words('chooseTag')}</option>
          <TagOptions tags={tags} onlyEnds />
        </Choice>
      )}
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={300} rows={2} data-first />
      <p className="meta">
        {words('canBeUndone')} <Link to="/admin/batch">{words('batches')}</Link>
      </p>
      <Submit>{words(keyOf(deed))}</Submit>
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
