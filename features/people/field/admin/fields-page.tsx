import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { joinNames } from '#base/language.ts'
import { ActionsHead, EditMenu, Manage } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { FieldForm, type FieldRow } from '#field/admin/field-form.tsx'
import type { fieldList, removeField } from '#field/contract.ts'

export function Page() {
  const words = useWords('fieldAdmin')
  const language = useLanguage()
  const { fields } = useLoaderData<Output<typeof fieldList>>()
  return (
    <Manage<FieldRow>
      title={words('fields')}
      summary={words('what')}
      addLabel={words('add')}
      items={fields}
      labelOf={({ name }) => name[language]}
      columns={[
        nameColumn(words('name')),
        { label: words('kind'), text: ({ kind }) => words(`kind${kind}`) },
        { label: words('answers'), text: ({ answers }) => String(answers) },
      ]}
      form={FieldForm}
    >
      {(visible, edit) => (fields.length === 0 ? <Empty>{words('none')}</Empty> : <Table fields={visible} edit={edit} />)}
    </Manage>
  )
}

function Table({ fields, edit }: { fields: readonly FieldRow[]; edit: (field: FieldRow) => void }) {
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
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.id}>
            <td>{field.name[language]}</td>
            <td data-label={words('kind')}>{words(`kind${field.kind}`)}</td>
            <td data-label={words('how')}>
              {joinNames(
                language,
                (['isRequired', 'isVisible', 'isSearched'] as const).filter((one) => field[one]).map((one) => words(one)),
              )}
            </td>
            <td data-label={words('answers')}>{field.answers}</td>
            <td>
              <Actions field={field} edit={() => edit(field)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ field, edit }: { field: FieldRow; edit: () => void }) {
  const words = useWords('fieldAdmin')
  const name = field.name[useLanguage()]
  const remove = useAction<typeof removeField>('/admin/field/remove')
  const asks = words('removeAsk', { name, count: field.answers })
  return (
    <EditMenu name={name} edit={edit} confirmation={asks} remove={() => remove.run({ fieldId: field.id })}>
      <LogLink about={`field ${field.id}`} />
    </EditMenu>
  )
}
