import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { SelectField, Field, Form, Submit, TextField, useForm } from '#base/web/form.tsx'
import { newKey } from '#base/web/key.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import {
  addSensitiveList,
  addSensitiveWords,
  editSensitiveList,
  wordActions,
  type importSensitiveWords,
  type sensitiveLists,
} from '#sensitive-word/contract.ts'

export type List = Output<typeof sensitiveLists>['lists'][number]

/** Name and action of a word list. */
export function ListForm({ list, onDone }: { list: List | null; onDone: () => void }) {
  const words = useWords('sensitiveWordAdmin')
  const fields = (
    <>
      <UnsavedGuard />
      <Field name="name" label={words('name')} defaultValue={list?.name} required maxLength={60} data-first autoComplete="off" />
      <SelectField name="action" label={words('action')} defaultValue={list?.action ?? 'replace'}>
        {wordActions.map((action) => (
          <option key={action} value={action}>
            {words(action)}
          </option>
        ))}
      </SelectField>
      <Field name="isEnabled" type="checkbox" label={words('on')} help={words('onHelp')} defaultChecked={list?.isEnabled ?? true} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!list)
    return (
      <Form endpoint={addSensitiveList} onSuccess={onDone}>
        {fields}
      </Form>
    )
  return (
    <Form endpoint={editSensitiveList} extra={{ listId: list.id, changedAt: list.changedAt }} onSuccess={onDone}>
      {fields}
    </Form>
  )
}

type Counts = { added: number; known: number; skipped: number }

export function AddWords({ list, onDone }: { list: List; onDone: () => void }) {
  const words = useWords('sensitiveWordAdmin')
  function told(counts: Counts): void {
    onDone()
    toast(words('added', counts))
  }
  return (
    <Form endpoint={addSensitiveWords} extra={{ listId: list.id }} onSuccess={told}>
      <UnsavedGuard />
      <TextField name="words" label={words('words')} help={words('wordsHelp')} rows={8} maxLength={20_000} required data-first />
      <BroadField />
      <Submit>{words('addWords')}</Submit>
    </Form>
  )
}

/** Asked once a word was found to match too much. */
function BroadField() {
  const words = useWords('sensitiveWordAdmin')
  const { errors } = useForm()
  const [isAsked, setAsked] = useState(false)
  if (errors['takesBroad'] && !isAsked) setAsked(true)
  return isAsked && <Field name="takesBroad" type="checkbox" label={words('takesBroad')} />
}

export function ImportWords({ list, onDone }: { list: List; onDone: () => void }) {
  const words = useWords('sensitiveWordAdmin')
  const api = useApi()
  const { revalidate } = useRevalidator()
  const [wrong, setWrong] = useState('')
  const [isBroad, setBroad] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const file = form.get('file')
    if (!(file instanceof File) || file.size === 0) return setWrong(words('chooseFile'))
    setBusy(true)
    setWrong('')
    try {
      const input = { listId: list.id, replaces: form.has('replaces'), takesBroad: form.has('takesBroad') }
      const counts = await api.upload<typeof importSensitiveWords>('/admin/sensitiveWord/import', file, input, { idempotencyKey: newKey() })
      onDone()
      toast(words('added', counts))
      await revalidate()
    } catch (error) {
      if (error instanceof FieldErrors) {
        setWrong(error.message)
        setBroad(isBroad || 'takesBroad' in error.fields)
      } else if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void send(event)}>
      <FileField wrong={wrong} />
      <Tick name="replaces" />
      {isBroad && <Tick name="takesBroad" />}
      <p>
        <button className="button" disabled={isBusy} data-busy={isBusy || undefined}>
          {words('import')}
        </button>
      </p>
      <p role="status">{isBusy && words('importing')}</p>
    </form>
  )
}

function FileField({ wrong }: { wrong: string }) {
  const words = useWords('sensitiveWordAdmin')
  return (
    <div className="field">
      <label htmlFor="words-file">{words('file')}</label>
      <input id="words-file" type="file" name="file" accept=".txt,text/plain" data-first aria-describedby="words-file-help" />
      <p id="words-file-help" className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong || words('wordsHelp')}
      </p>
    </div>
  )
}

function Tick({ name }: { name: 'replaces' | 'takesBroad' }) {
  const words = useWords('sensitiveWordAdmin')
  return (
    <div className="field tick">
      <input id={`words-${name}`} type="checkbox" name={name} />
      <label htmlFor={`words-${name}`}>{words(name)}</label>
    </div>
  )
}
