import { useEffect, useId, useState } from 'react'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import { useForm } from '#base/web/form.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { optionName } from '#setting/admin/setting-words.ts'
import type { AnySetting } from '#setting/contract.ts'

type CheckboxesFieldProps = {
  name: AnySetting
  label: string
  help: string | undefined
  options: readonly string[]
  chosen: readonly string[]
}

/** A multiple choice, sent like a list: one line per option. */
export function CheckboxesField({ name, label, help, options, chosen: first }: CheckboxesFieldProps) {
  const words = useWords('editor')
  const say = useTranslate()
  const id = useId()
  const { errors, setValue, clearError } = useForm()
  const [chosen, choose] = useState(first)
  // An empty choice is sent too; the form alone would leave it out.
  useEffect(() => setValue(name, chosen.join('\n')), [setValue, name, chosen])
  const wrong = errors[name]

  function toggle(option: string): void {
    clearError(name)
    choose(options.filter((one) => (one === option) !== chosen.includes(one)))
  }

  return (
    <div className="field">
      <CheckboxGroup legend={label}>
        {options.map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              aria-describedby={wrong ? `${id}-help` : undefined}
              onChange={() => toggle(option)}
            />
            {name.endsWith('Tools') ? words(option) : optionName(name, option, say)}
          </label>
        ))}
      </CheckboxGroup>
      <input type="hidden" name={name} value={chosen.join('\n')} />
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? help}
      </p>
    </div>
  )
}
