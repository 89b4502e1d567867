import { useId } from 'react'
import { z } from 'zod'
import { iconSrc, logoSrc, type BrandPicture } from '#base/branding.ts'
import { timeZones } from '#base/time-zone.ts'
import { SelectField, Field, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import { ColourField } from '#setting/admin/colour-field.tsx'
import { formValue, choicesOf, helpOf, optionCode } from '#setting/admin/setting-words.ts'
import { NeedsCodes, type UnavailableChannels } from '#setting/admin/needs-codes.tsx'
import { LastChange } from '#setting/admin/setting-history.tsx'
import { CheckboxesField } from '#setting/admin/checkboxes-field.tsx'
import { isPicture, allSettings, type SettingView, type PictureSetting, type AnySetting, wordOf } from '#setting/staff-contract.ts'
import css from '#setting/admin/settings.module.css'

type SettingRow = z.output<typeof SettingView>

type SettingProps = { name: AnySetting; setting: SettingRow; /** Of the site, as configured. */ timeZone: string }

const longText = 300

type FieldProps = SettingProps & { seenAt: string; /** The channels an option needs that cannot send yet. */ unsent: UnavailableChannels }

/** A setting: its control, description, default and history. */
export function SettingField({ name, setting, seenAt, timeZone, unsent }: FieldProps) {
  return (
    <div className={css.setting}>
      <Control name={name} setting={setting} timeZone={timeZone} />
      <NeedsCodes name={name} unsent={unsent} />
      {!isPicture(name) && <LastChange name={name} setting={setting} seenAt={seenAt} />}
    </div>
  )
}

function Control({ name, setting, timeZone }: SettingProps) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  const language = useLanguage()
  const { schema } = allSettings[name]
  if (isPicture(name)) return <PictureField name={name} picture={setting.value as BrandPicture | null} />
  const tellsTime = name === 'backupHour' || name === 'timeZone'
  const help = tellsTime ? `${helpOf(name, say)} ${words('hourNow', timesNow(language, timeZone))}` : helpOf(name, say)
  const fieldProps = { name, label: say(wordOf(name)), help }
  if (setting.isSet !== null) return <SecretField {...fieldProps} isSet={setting.isSet} typed={String(setting.value)} />
  if (schema instanceof z.ZodBoolean) return <Field {...fieldProps} type="checkbox" defaultChecked={setting.value === true} />
  const choices = choicesOf(schema, name)
  if (choices)
    return (
      <SelectField {...fieldProps} defaultValue={String(setting.value)}>
        {choices.map((value) => (
          <option key={value} value={value}>
            {say(optionCode(name, value))}
          </option>
        ))}
      </SelectField>
    )
  if (schema instanceof z.ZodNumber) return <Field {...fieldProps} type="number" step="any" defaultValue={Number(setting.value)} required />
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum)
    return <CheckboxesField {...fieldProps} options={schema.element.options.map(String)} chosen={setting.value as string[]} />
  if (name === 'mainColour') return <ColourField {...fieldProps} defaultValue={String(setting.value)} />
  if (name === 'timeZone') return <TimeZoneField {...fieldProps} defaultValue={String(setting.value)} />
  const isList = schema instanceof z.ZodArray
  const text = formValue(setting.value)
  const isLong = isList || (schema instanceof z.ZodString && (schema.maxLength ?? 0) > longText)
  if (isLong) return <TextField {...fieldProps} rows={isList ? 6 : text.length > longText ? 14 : 3} defaultValue={text} />
  return <Field {...fieldProps} defaultValue={text} autoComplete="off" required={!schema.safeParse('').success} />
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
  const { schema } = allSettings[said.name]
  const help = `${said.help} ${words(isSet ? 'secretSet' : 'secretUnset')}`
  const isLong = schema instanceof z.ZodString && (schema.maxLength ?? 0) > longText
  if (isLong) return <TextField {...said} help={help} rows={4} defaultValue={typed} />
  return <Field {...said} help={help} defaultValue={typed} autoComplete="off" />
}

/** Chosen on a page of its own, because it is an uploaded file. */
function PictureField({ name, picture }: { name: PictureSetting; picture: BrandPicture | null }) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  return (
    <div className="field">
      <strong className={css.called}>{say(wordOf(name))}</strong>
      <div className={css.pictureOf}>
        {picture && <img src={name === 'icon' ? iconSrc(picture, 32) : logoSrc(picture)} alt="" className={css[name]} />}
        <Link to="/admin/look">{words(picture ? 'chooseAnother' : 'choosePicture')}</Link>
      </div>
      <p className="help">{say(wordOf(name, `${name}Help`))}</p>
    </div>
  )
}

function TimeZoneField(props: { name: string; label: string; help: string; defaultValue: string }) {
  const id = useId()
  return (
    <>
      <Field {...props} list={id} autoComplete="off" spellCheck={false} required />
      <datalist id={id}>
        {timeZones().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </>
  )
}

// The current time in both zones, so that the reader need not compute it.
function timesNow(language: string, timeZone: string): { there: string; here: string } {
  const [now, options] = [new Date(siteTime()), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const]
  return { there: now.toLocaleTimeString(language, { ...options, timeZone }), here: now.toLocaleTimeString(language, options) }
}
