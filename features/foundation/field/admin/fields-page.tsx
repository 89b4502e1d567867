import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { joinNames } from '#base/language.ts'
import { EditMenu, Manage } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
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
        nameColumn(words('name'), { show: ({ name }) => name[language] }),
        { label: words('kind'), text: ({ kind }) => words(`kind${kind}`) },
        {
          label: words('how'),
          show: (field) =>
            joinNames(
              language,
              traits.filter((one) => field[one]).map((one) => words(one)),
            ),
        },
        { label: words('answers'), text: ({ answers }) => String(answers) },
      ]}
      form={FieldForm}
      emptyText={words('none')}
      renderActions={(field, edit) => <Actions field={field} edit={edit} />}
    />
  )
}

const traits = ['isRequired', 'isVisible', 'isSearched'] as const

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
