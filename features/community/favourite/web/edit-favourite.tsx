import { useEffect, useEffectEvent, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { SelectField, Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { addFolder, editFavourite, longest, type favouriteForm } from '#favourite/contract.ts'

type Props = { topicId: string; isOpen: boolean; close: () => void; remove: () => void }

/** The dialog with folder and note of a favourite, and a button to remove it. */
export function EditFavourite({ topicId, isOpen, close, remove }: Props) {
  const words = useWords('favourite')
  return (
    <Dialog title={words('edit')} isOpen={isOpen} close={close}>
      <EditForm {...{ topicId, close, remove }} />
    </Dialog>
  )
}

type FavouriteFormData = Output<typeof favouriteForm>

function EditForm({ topicId, close, remove }: Omit<Props, 'isOpen'>) {
  const api = useApi()
  const [form, setForm] = useState<FavouriteFormData | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [lies, lay] = useState<string | null>(null)

  function load(): void {
    api.read<typeof favouriteForm>('/favourite/form', { topicId }, { silent: true }).then(setForm, () => setFailed(true))
  }

  const begin = useEffectEvent(() => load())
  useEffect(() => begin(), [])

  function retry(): void {
    setFailed(false)
    load()
  }

  function made({ folderId }: { folderId: string }): void {
    lay(folderId)
    load()
  }

  if (hasFailed) return <Failed retry={retry} />
  if (!form) return <Skeleton lines={3} />
  return <FolderChoice {...{ topicId, form, lies, lay, made, close, remove }} />
}

type FolderChoiceProps = Omit<Props, 'isOpen'> & {
  form: FavouriteFormData
  /** The selected folder, empty for none; null until one is selected. */
  lies: string | null
  lay: (folderId: string) => void
  made: (folder: { folderId: string }) => void
}

function FolderChoice({ topicId, form, lies, lay, made, close, remove }: FolderChoiceProps) {
  const words = useWords('favourite')
  const [isNew, setNew] = useState(false)

  function saved(): void {
    toast(words('saved'))
    close()
  }

  function letGo(): void {
    close()
    remove()
  }

  function takeNew(folder: { folderId: string }): void {
    setNew(false)
    made(folder)
  }

  return (
    <>
      <Form endpoint={editFavourite} extra={{ topicId }} onSuccess={saved}>
        <SelectField
          name="folderId"
          label={words('folder')}
          value={lies ?? form.folderId ?? ''}
          onChange={({ target }) => lay(target.value)}
        >
          <FolderOptions folders={form.folders} />
        </SelectField>
        <p>
          <button type="button" className="plain" onClick={() => setNew(true)}>
            {words('newFolder')}
          </button>
        </p>
        <TextField name="note" label={words('note')} help={words('noteHelp')} defaultValue={form.note} maxLength={longest.note} rows={3} />
        <p className="actions">
          <Submit>{words('save')}</Submit>
          <button type="button" className="plain" onClick={letGo}>
            {words('remove')}
          </button>
        </p>
      </Form>
      <Dialog title={words('newFolder')} isOpen={isNew} close={() => setNew(false)}>
        <NewFolder then={takeNew} />
      </Dialog>
    </>
  )
}

function FolderOptions({ folders }: { folders: FolderChoiceProps['form']['folders'] }) {
  const words = useWords('favourite')
  return (
    <>
      <option value="">{words('noFolder')}</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  )
}

export function NewFolder({ then }: { then: (made: { folderId: string }) => void }) {
  const words = useWords('favourite')
  return (
    <Form endpoint={addFolder} onSuccess={then}>
      <FolderFields />
      <p className="actions">
        <Submit>{words('newFolder')}</Submit>
      </p>
    </Form>
  )
}

export function FolderFields({ folder = { name: '', isPublic: false } }: { folder?: { name: string; isPublic: boolean } }) {
  const words = useWords('favourite')
  return (
    <>
      <Field name="name" label={words('name')} defaultValue={folder.name} maxLength={longest.name} required data-first />
      <Field name="isPublic" type="checkbox" label={words('isPublic')} defaultChecked={folder.isPublic} />
    </>
  )
}
