import { useId } from 'react'
import { z } from 'zod'
import { iconSrc, logoSrc, type LookPicture } from '#base/look.ts'
import { Choice, Field, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { ColourField } from '#setting/admin/colour-field.tsx'
import { asTyped, choicesOf, helpOf, wordOf } from '#setting/admin/said-of.ts'
import { NeedsCodes, type Unsent } from '#setting/admin/needs-codes.tsx'
import { Changed } from '#setting/admin/setting-history.tsx'
import { TicksField } from '#setting/admin/ticks-field.tsx'
import { isPicture, allSettings, type PictureSetting, type AnySetting, type SettingView } from '#setting/contract.ts'
import css from '#setting/admin/settings.module.css'

type One = z.output<typeof SettingView>

type SettingProps = { name: AnySetting; setting: One; /** Of the site, as configured. */ timeZone: string }

const longText = 300

type FieldProps = SettingProps & { seenAt: string; /** The channels an option needs that cannot send yet. */ unsent: Unsent }

/** A setting: its control, description, default and history. */
export function SettingField({ name, setting, seenAt, timeZone, unsent }: FieldProps) {
  return (
    <div className={css.setting}>
      <Control name={name} setting={setting} timeZone={timeZone} />
      <NeedsCodes name={name} unsent={unsent} />
      {!isPicture(name) && <Changed name={name} setting={setting} seenAt={seenAt} />}
    </div>
  )
}

function Control({ name, setting, timeZone }: SettingProps) {
  const words = useWords('settingAdmin')
  const language = useLanguage()
  const { takes } = allSettings[name]
  if (isPicture(name)) return <PictureOf name={name} picture={setting.value as LookPicture | null} />
  const tellsTime = name === 'backupHour' || name === 'timeZone'
  const help = tellsTime ? `${helpOf(name, words)} ${words('hourNow', timesNow(language, timeZone))}` : helpOf(name, words)
  const said = { name, label: words(name), help }
  if (setting.isSet !== null) return <SecretField {...said} isSet={setting.isSet} typed={String(setting.value)} />
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
  if (name === 'mainColour') return <ColourField {...said} defaultValue={String(setting.value)} />
  if (name === 'timeZone') return <TimeZoneField {...said} defaultValue={String(setting.value)} />
  const isList = takes instanceof z.ZodArray
  const text = asTyped(setting.value)
  const isLong = isList || (takes instanceof z.ZodString && (takes.maxLength ?? 0) > longText)
  if (isLong) return <TextField {...said} rows={isList ? 6 : text.length > longText ? 14 : 3} defaultValue={text} />
  return <Field {...said} defaultValue={text} autoComplete="off" required={!takes.safeParse('').success} />
}

type SecretFieldProps = {
  name: AnySetting
  label: string
  help: string
  isSet: boolean
  /** Keeps the typed value when the field is rendered again. */ typed: string
}

/** A password or key, which is write-only. */
function SecretField({ isSet, typed, ...said }: SecretFieldProps) {
  const words = useWords('settingAdmin')
  const { takes } = allSettings[said.name]
  const help = `${said.help} ${words(isSet ? 'secretSet' : 'secretUnset')}`
  const isLong = takes instanceof z.ZodString && (takes.maxLength ?? 0) > longText
  if (isLong) return <TextField {...said} help={help} rows={4} defaultValue={typed} />
  return <Field {...said} help={help} defaultValue={typed} autoComplete="off" />
}

/** Chosen on a page of its own, because it is an uploaded file. */
function PictureOf({ name, picture }: { name: PictureSetting; picture: LookPicture | null }) {
  const words = useWords('settingAdmin')
  return (
    <div className="field">
      <strong className={css.called}>{words(name)}</strong>
      <div className={css.pictureOf}>
        {picture && <img src={name === 'icon' ? iconSrc(picture, 32) : logoSrc(picture)} alt="" className={css[name]} />}
        <Link to="/admin/look">{words(picture ? 'chooseAnother' : 'choosePicture')}</Link>
      </div>
      <p className="help">{words(`${name}Help`)}</p>
    </div>
  )
}

function TimeZoneField(said: { name: string; label: string; help: string; defaultValue: string }) {
  const id = useId()
  return (
    <>
      <Field {...said} list={id} autoComplete="off" spellCheck={false} required />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </>
  )
}

// The current time in both zones, so that the reader need not compute it.
function timesNow(language: string, timeZone: string): { there: string; here: string } {
  const [now, shown] = [new Date(siteTime()), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const]
  return { there: now.toLocaleTimeString(language, { ...shown, timeZone }), here: now.toLocaleTimeString(language, shown) }
}
