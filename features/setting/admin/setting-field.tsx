import { z } from 'zod'
import { Choice, Field, TextField } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { asTyped, choicesOf, helpOf, wordOf } from '#setting/admin/said-of.ts'
import { Changed } from '#setting/admin/setting-history.tsx'
import { TicksField } from '#setting/admin/ticks-field.tsx'
import { settings, type SettingName, type SettingView } from '#setting/contract.ts'
import css from '#setting/admin/settings.module.css'

type One = z.output<typeof SettingView>

const longText = 300

/** One setting: a control of its own kind, what it is for, what it was made with, and what it has been. */
export function SettingField({ name, setting, seenAt }: { name: SettingName; setting: One; seenAt: string }) {
  return (
    <div className={css.setting}>
      <Control name={name} setting={setting} />
      <Changed name={name} setting={setting} seenAt={seenAt} />
    </div>
  )
}

function Control({ name, setting }: { name: SettingName; setting: One }) {
  const words = useWords('settingAdmin')
  const language = useLanguage()
  const { takes } = settings[name]
  const help = name === 'backupHour' ? `${helpOf(name, words)} ${words('hourNow', hoursNow(language))}` : helpOf(name, words)
  const said = { name, label: words(name), help }
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
  const text = asTyped(setting.value)
  const isLong = isList || (takes instanceof z.ZodString && (takes.maxLength ?? 0) > longText)
  if (isLong) return <TextField {...said} rows={isList ? 6 : text.length > longText ? 14 : 3} defaultValue={text} />
  return <Field {...said} defaultValue={text} autoComplete="off" required={!takes.safeParse('').success} />
}

// Nobody reckons zones in their head.
function hoursNow(language: string): { utc: string; here: string } {
  const [now, shown] = [new Date(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const]
  return { utc: now.toLocaleTimeString(language, { ...shown, timeZone: 'UTC' }), here: now.toLocaleTimeString(language, shown) }
}
