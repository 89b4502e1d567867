import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Choice, Field, TextField } from '#base/web/form.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { choicesOf, plain, shortly, wordOf } from '#setting/admin/said-of.ts'
import { TicksField } from '#setting/admin/ticks-field.tsx'
import { secretSettings, settings, type SettingName } from '#setting/contract.ts'
import type { returnSetting, settingHistory, SettingView } from '#setting/contract.ts'
import css from '#setting/admin/settings.module.css'

type One = z.output<typeof SettingView>

const longText = 300

/** One setting: a control of its own kind, what it is for, what it was made with, and what it has been. */
export function SettingField({ name, setting }: { name: SettingName; setting: One }) {
  const words = useWords('settingAdmin')
  const { takes } = settings[name]
  const said = {
    name,
    label: words(name),
    help: plain.has(name) ? undefined : words(`${name}Help`),
    after: <Beside name={name} setting={setting} />,
  }
  if (setting.isSet !== null)
    return (
      <Field
        {...said}
        help={`${said.help} ${words(setting.isSet ? 'secretSet' : 'secretUnset')}`}
        defaultValue={String(setting.value)}
        autoComplete="off"
      />
    )
  if (takes instanceof z.ZodBoolean) return <Field {...said} type="checkbox" defaultChecked={setting.value === true} />
  const choices = choicesOf(takes, name)
  if (choices)
    return (
      <Choice {...said} defaultValue={String(setting.value)}>
        {choices.map((value) => (
          <option key={value} value={value}>
            {words(name + wordOf(value))}
          </option>
        ))}
      </Choice>
    )
  if (takes instanceof z.ZodNumber) return <Field {...said} type="number" step="any" defaultValue={Number(setting.value)} required />
  if (takes instanceof z.ZodArray && takes.element instanceof z.ZodEnum)
    return <TicksField {...said} options={takes.element.options.map(String)} chosen={setting.value as string[]} />
  const isList = takes instanceof z.ZodArray
  const text = isList ? (setting.value as string[]).join('\n') : String(setting.value)
  const isLong = isList || (takes instanceof z.ZodString && (takes.maxLength ?? 0) > longText)
  if (isLong) return <TextField {...said} rows={isList ? 6 : text.length > longText ? 14 : 3} defaultValue={text} />
  return <Field {...said} defaultValue={text} autoComplete="off" required={!takes.safeParse('').success} />
}

function Beside({ name, setting: { value, standard, changed, isSet } }: { name: SettingName; setting: One }) {
  const words = useWords('settingAdmin')
  const back = useDeed<typeof returnSetting>('/admin/setting/return')
  const [isOpen, setOpen] = useState(false)
  if (!changed) return null
  const isStandard = JSON.stringify(value) === JSON.stringify(standard)
  return (
    <div className={css.beside}>
      <span>
        {words('changedBy', { by: changed.by })} <Time at={changed.at} />
      </span>
      {isSet === null && !isStandard && <span>{words('standard', { value: shortly(name, standard, words) })}</span>}
      {(isSet ?? !isStandard) && (
        <button type="button" className="plain" onClick={() => void back.go({ name }, { done: words('returned') })}>
          {words(isSet ? 'forgetSecret' : 'giveBack')}
        </button>
      )}
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {words('history')}
      </button>
      <Dialog title={words('historyOf', { name: words(name) })} isOpen={isOpen} close={() => setOpen(false)}>
        <History name={name} />
      </Dialog>
    </div>
  )
}

function History({ name }: { name: SettingName }) {
  const words = useWords('settingAdmin')
  const api = useApi()
  const [changes, setChanges] = useState<Output<typeof settingHistory>['changes'] | null>(null)
  useEffect(() => {
    // What could not be read is told of by the call itself.
    api.read<typeof settingHistory>('/admin/setting/history', { name }).then(
      ({ changes }) => setChanges(changes),
      (error: unknown) => console.info('The history did not come', error),
    )
  }, [api, name])
  if (!changes) return <Skeleton lines={3} />
  if (changes.length === 0) return <p>{words('noHistory')}</p>
  return (
    <ul className={css.history}>
      {changes.map(({ at, by, before, after }) => (
        <li key={at}>
          <Time at={at} /> {by}:{' '}
          {secretSettings.has(name)
            ? words('changedIt')
            : words('fromTo', { before: shortly(name, before, words), after: shortly(name, after, words) })}
        </li>
      ))}
    </ul>
  )
}
