import { useEffect, useState } from 'react'
import { InLanguages, offeredLanguages } from '#base/admin/in-languages.tsx'
import { AddOrEdit, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import type { Bilingual } from '#base/both-languages.ts'
import type { Output } from '#base/contract.ts'
import { SelectField, Field, LabelledControl, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { addField, choiceKinds, editField, kinds, answerFormats, type fieldList } from '#field/contract.ts'

export type FieldRow = Output<typeof fieldList>['fields'][number]

const helps = { zh: 'helpZh', en: 'helpEn' } as const

export function FieldForm({ item: field, onDone }: EditFormProps<FieldRow>) {
  const words = useWords('fieldAdmin')
  const [kind, setKind] = useState<string>(field?.kind ?? 'text')
  return (
    <AddOrEdit
      addEndpoint={addField}
      editEndpoint={editField}
      editedId={field && { fieldId: field.id, version: field.version }}
      onDone={onDone}
    >
      <NameFields name={field?.name} maxLength={50} />
      <InLanguages names={helps} stored={field?.help}>
        {({ name, language, value, isAlone }) => (
          <Field name={name} label={words(isAlone ? 'help' : helps[language])} defaultValue={value} maxLength={200} />
        )}
      </InLanguages>
      <SelectField name="kind" label={words('kind')} value={kind} onChange={({ target }) => setKind(target.value)}>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {words(`kind${one}`)}
          </option>
        ))}
      </SelectField>
      {choiceKinds.includes(kind) ? <Options field={field} /> : <FormatField field={field} />}
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

function FormatField({ field }: { field: FieldRow | null }) {
  const words = useWords('fieldAdmin')
  const [takes, setTakes] = useState<string>(field?.takes ?? 'anything')
  return (
    <>
      <SelectField name="takes" label={words('takes')} value={takes} onChange={({ target }) => setTakes(target.value)}>
        {answerFormats.map((one) => (
          <option key={one} value={one}>
            {words(`takes${one}`)}
          </option>
        ))}
      </SelectField>
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

/** One option per line: its key, then its name in each offered language, separated by bars. */
function Options({ field }: { field: FieldRow | null }) {
  const words = useWords('fieldAdmin')
  const { setValue, clearError } = useForm()
  const offered = offeredLanguages.use()
  const [text, setText] = useState(() =>
    (field?.options ?? []).map(({ key, name }) => [key, ...offered.map((language) => name[language])].join(' | ')).join('\n'),
  )
  useEffect(() => {
    setValue('options', optionsIn(text, offered, field?.options ?? []))
    return () => setValue('options', [])
  }, [setValue, text, offered, field])
  return (
    <LabelledControl name="options" label={words('options')} help={words(offered.length === 1 ? 'optionsHelpAlone' : 'optionsHelp')}>
      {(control) => (
        <textarea
          {...control}
          rows={5}
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            clearError('options')
            setText(target.value)
          }}
        />
      )}
    </LabelledControl>
  )
}

type Option = FieldRow['options'][number]

// An option keeps its name in a language that is not offered, unless that was only a fallback.
function optionsIn(text: string, offered: readonly (keyof Bilingual)[], before: readonly Option[]): ({ key: string } & Bilingual)[] {
  const lines = text.split('\n').filter((line) => line.trim())
  return lines.map((line) => {
    const [key = '', ...typed] = line.split('|').map((part) => part.trim())
    const first = typed[0] || key
    const had = before.find((option) => option.key === key)?.name
    const fallback = had && had.zh !== had.en ? had : { zh: first, en: first }
    const name = (language: keyof Bilingual) =>
      offered.includes(language) ? typed[offered.indexOf(language)] || first : fallback[language]
    return { key, zh: name('zh'), en: name('en') }
  })
}
