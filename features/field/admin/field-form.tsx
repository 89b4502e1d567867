import { useEffect, useState } from 'react'
import { InLanguages, offeredLanguages } from '#base/admin/in-languages.tsx'
import { AddOrEdit, NameFields, SortField, type Edited } from '#base/admin/manage.tsx'
import type { InBoth } from '#base/both-languages.ts'
import type { Output } from '#base/contract.ts'
import { Choice, Field, Labelled, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { addField, choiceKinds, editField, kinds, answerFormats, type fieldList } from '#field/contract.ts'

export type FieldRow = Output<typeof fieldList>['fields'][number]

const helps = { zh: 'helpZh', en: 'helpEn' } as const

export function FieldForm({ thing: field, done }: Edited<FieldRow>) {
  const words = useWords('fieldAdmin')
  const [kind, setKind] = useState<string>(field?.kind ?? 'text')
  return (
    <AddOrEdit adds={addField} edits={editField} one={field && { fieldId: field.id, version: field.version }} done={done}>
      <NameFields name={field?.name} maxLength={50} />
      <InLanguages names={helps} kept={field?.help}>
        {({ name, language, value, isAlone }) => (
          <Field name={name} label={words(isAlone ? 'help' : helps[language])} defaultValue={value} maxLength={200} />
        )}
      </InLanguages>
      <Choice name="kind" label={words('kind')} value={kind} onChange={({ target }) => setKind(target.value)}>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {words(`kind${one}`)}
          </option>
        ))}
      </Choice>
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
      <Choice name="takes" label={words('takes')} value={takes} onChange={({ target }) => setTakes(target.value)}>
        {answerFormats.map((one) => (
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

/** One option per line: its key, then its name in each offered language, separated by bars. */
function Options({ field }: { field: FieldRow | null }) {
  const words = useWords('fieldAdmin')
  const { hold, mend } = useForm()
  const offered = offeredLanguages.use()
  const [text, setText] = useState(() =>
    (field?.options ?? []).map(({ key, name }) => [key, ...offered.map((language) => name[language])].join(' | ')).join('\n'),
  )
  useEffect(() => {
    hold('options', optionsIn(text, offered, field?.options ?? []))
    return () => hold('options', [])
  }, [hold, text, offered, field])
  return (
    <Labelled name="options" label={words('options')} help={words(offered.length === 1 ? 'optionsHelpAlone' : 'optionsHelp')}>
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

type Option = FieldRow['options'][number]

// An option keeps its name in a language that is not offered, unless that was only a fallback.
function optionsIn(text: string, offered: readonly (keyof InBoth)[], before: readonly Option[]): ({ key: string } & InBoth)[] {
  const lines = text.split('\n').filter((line) => line.trim())
  return lines.map((line) => {
    const [key = '', ...typed] = line.split('|').map((part) => part.trim())
    const first = typed[0] || key
    const had = before.find((option) => option.key === key)?.name
    const kept = had && had.zh !== had.en ? had : { zh: first, en: first }
    const name = (language: keyof InBoth) => (offered.includes(language) ? typed[offered.indexOf(language)] || first : kept[language])
    return { key, zh: name('zh'), en: name('en') }
  })
}
