import { useEffect, useState } from 'react'
import { AddOrEdit, NameFields, SortField, type Edited } from '#base/admin/manage.tsx'
import type { Output } from '#base/contract.ts'
import { Choice, Field, Labelled, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { addField, chosen, editField, kinds, takings, type fieldList } from '#field/contract.ts'

export type Asked = Output<typeof fieldList>['fields'][number]

export function FieldForm({ thing: field, done }: Edited<Asked>) {
  const words = useWords('fieldAdmin')
  const [kind, setKind] = useState<string>(field?.kind ?? 'text')
  return (
    <AddOrEdit adds={addField} edits={editField} one={field && { fieldId: field.id, version: field.version }} done={done}>
      <NameFields name={field?.name} maxLength={50} />
      <Field name="helpZh" label={words('helpZh')} defaultValue={field?.help.zh} maxLength={200} />
      <Field name="helpEn" label={words('helpEn')} defaultValue={field?.help.en} maxLength={200} />
      <Choice name="kind" label={words('kind')} value={kind} onChange={({ target }) => setKind(target.value)}>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {words(`kind${one}`)}
          </option>
        ))}
      </Choice>
      {chosen.includes(kind) ? <Options field={field} /> : <Takes field={field} />}
      <Field name="isRequired" type="checkbox" label={words('isRequired')} defaultChecked={field?.isRequired} />
      <Field name="isVisible" type="checkbox" label={words('isVisible')} help={words('isVisibleHelp')} defaultChecked={field?.isVisible} />
      <Field
        name="isSearched"
        type="checkbox"
        label={words('isSearched')}
        help={words('isSearchedHelp')}
        defaultChecked={field?.isSearched}
      />
      <SortField sort={field?.sort} />
    </AddOrEdit>
  )
}

function Takes({ field }: { field: Asked | null }) {
  const words = useWords('fieldAdmin')
  const [takes, setTakes] = useState<string>(field?.takes ?? 'anything')
  return (
    <>
      <Choice name="takes" label={words('takes')} value={takes} onChange={({ target }) => setTakes(target.value)}>
        {takings.map((one) => (
          <option key={one} value={one}>
            {words(`takes${one}`)}
          </option>
        ))}
      </Choice>
      {takes === 'pattern' && (
        <Field
          name="pattern"
          label={words('pattern')}
          help={words('patternHelp')}
          defaultValue={field?.pattern}
          maxLength={200}
          spellCheck={false}
          autoCapitalize="off"
        />
      )}
      <Field name="longest" type="number" min={1} max={2000} label={words('longest')} defaultValue={field?.longest ?? 100} />
    </>
  )
}

/** One option to a line: its key, then its name in Chinese and in English, with bars between them. */
function Options({ field }: { field: Asked | null }) {
  const words = useWords('fieldAdmin')
  const { hold, mend } = useForm()
  const [text, setText] = useState(() => (field?.options ?? []).map(({ key, name }) => `${key} | ${name.zh} | ${name.en}`).join('\n'))
  useEffect(() => {
    hold('options', optionsIn(text))
    return () => hold('options', [])
  }, [hold, text])
  return (
    <Labelled name="options" label={words('options')} help={words('optionsHelp')}>
      {(control) => (
        <textarea
          {...control}
          rows={5}
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            mend('options')
            setText(target.value)
          }}
        />
      )}
    </Labelled>
  )
}

function optionsIn(text: string): { key: string; zh: string; en: string }[] {
  const lines = text.split('\n').filter((line) => line.trim())
  return lines.map((line) => {
    const [key = '', zh = '', en = ''] = line.split('|').map((part) => part.trim())
    return { key, zh: zh || key, en: en || zh || key }
  })
}
