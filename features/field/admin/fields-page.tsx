import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { FieldForm } from '#field/admin/field-form.tsx'
import type { fieldList, removeField } from '#field/contract.ts'
import css from '#field/admin/field.module.css'

type Data = Output<typeof fieldList>
export type Asked = Data['fields'][number]

export function Page() {
  const words = useWords('fieldAdmin')
  const language = useLanguage()
  const { fields } = useLoaderData<Data>()
  const [open, setOpen] = useState<Asked | 'new' | null>(null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('fields')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('add')}
        </button>
      </div>
      <p className="meta">{words('what')}</p>
      {fields.length === 0 ? <Empty>{words('none')}</Empty> : <Table fields={fields} edit={setOpen} />}
      <Dialog
        title={open === 'new' ? words('add') : words('editOf', { name: open?.name[language] ?? '' })}
        isOpen={open !== null}
        close={() => setOpen(null)}
      >
        {open && <FieldForm field={open === 'new' ? null : open} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function Table({ fields, edit }: { fields: readonly Asked[]; edit: (field: Asked) => void }) {
  const words = useWords('fieldAdmin')
  const language = useLanguage()
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('name')}</th>
          <th>{words('kind')}</th>
          <th>{words('how')}</th>
          <th>{words('answers')}</th>
          <th>
            <span className="hidden">{words('deeds')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.id}>
            <td>{field.name[language]}</td>
            <td>{words(`kind${field.kind}`)}</td>
            <td>
              {(['isRequired', 'isVisible', 'isSearched'] as const)
                .filter((one) => field[one])
                .map((one) => words(one))
                .join(', ')}
            </td>
            <td>{field.answers}</td>
            <td className={css.deeds}>
              <Deeds field={field} edit={() => edit(field)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Deeds({ field, edit }: { field: Asked; edit: () => void }) {
  const words = useWords('fieldAdmin')
  const name = field.name[useLanguage()]
  const remove = useDeed<typeof removeField>('/admin/field/remove')

  async function drop(): Promise<void> {
    if (await confirm(words('removeAsk', { name, count: field.answers }), words('remove'))) await remove.go({ fieldId: field.id })
  }

  return (
    <Menu label={words('deedsFor', { name })}>
      <MenuButton onClick={edit}>{words('edit')}</MenuButton>
      <MenuButton danger onClick={() => void drop()}>
        {words('remove')}
      </MenuButton>
    </Menu>
  )
}
