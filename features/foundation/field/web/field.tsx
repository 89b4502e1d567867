import { useEffect, useState, type ReactNode } from 'react'
import { maxLengthFor } from '#base/characters.ts'
import { LabelledControl, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Answers, FieldView } from '#field/contract.ts'
import css from '#field/web/field.module.css'

/** The custom fields of the site in a form, sent as `answers`. */
export function CustomFields({ fields, answers = {} }: { fields: readonly FieldView[]; answers?: Answers }) {
  const { setValue, clearError } = useForm()
  const [values, setValues] = useState<Answers>(answers)
  useEffect(() => {
    if (fields.length > 0) setValue('answers', values)
  }, [fields, setValue, values])

  function answer(id: string, its: string[]): void {
    clearError(`answer_${id}`)
    setValues({ ...values, [id]: its })
  }

  return fields.map((field) => (
    <CustomField key={field.id} field={field} said={values[field.id] ?? []} answer={(its) => answer(field.id, its)} />
  ))
}

type CustomFieldProps = { field: FieldView; said: readonly string[]; answer: (its: string[]) => void }

function CustomField(props: CustomFieldProps) {
  const words = useWords('field')
  const { field, said, answer } = props
  const language = useLanguage()
  if (field.kind === 'radio' || field.kind === 'checkbox') return <Checkboxes {...props} />
  const text = said[0] ?? ''
  const write = (value: string) => answer(value === '' ? [] : [value])
  return (
    <LabelledControl name={`answer_${field.id}`} label={<FieldLabel field={field} />} help={field.help[language]}>
      {(control) => {
        if (field.kind === 'textarea')
          return (
            <textarea
              {...control}
              rows={4}
              maxLength={maxLengthFor(field.longest)}
              value={text}
              onChange={({ target }) => write(target.value)}
            />
          )
        if (field.kind === 'select')
          return (
            <select {...control} value={text} onChange={({ target }) => write(target.value)}>
              <option value="">{words('choose')}</option>
              {field.options.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name[language]}
                </option>
              ))}
            </select>
          )
        return <input {...control} maxLength={maxLengthFor(field.longest)} value={text} onChange={({ target }) => write(target.value)} />
      }}
    </LabelledControl>
  )
}

function Checkboxes({ field, said, answer }: CustomFieldProps) {
  const language = useLanguage()
  const { errors } = useForm()
  const name = `answer_${field.id}`
  const wrong = errors[name]
  const type = field.kind === 'radio' ? 'radio' : 'checkbox'

  function tick(key: string): void {
    if (type === 'radio') answer([key])
    else answer(said.includes(key) ? said.filter((one) => one !== key) : [...said, key])
  }

  return (
    <fieldset className={`field ${css.ticks}`} aria-describedby={`${name}-help`}>
      <legend>
        <FieldLabel field={field} />
      </legend>
      {field.options.map((option) => (
        <label key={option.key}>
          <input
            type={type}
            name={name}
            checked={said.includes(option.key)}
            aria-invalid={wrong ? true : undefined}
            onChange={() => tick(option.key)}
          />{' '}
          <bdi>{option.name[language]}</bdi>
        </label>
      ))}
      <p id={`${name}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? field.help[language]}
      </p>
    </fieldset>
  )
}

/** Marks optional fields. */
function FieldLabel({ field }: { field: FieldView }): ReactNode {
  const words = useWords('field')
  const name = field.name[useLanguage()]
  return field.isRequired ? name : words('optional', { name })
}
