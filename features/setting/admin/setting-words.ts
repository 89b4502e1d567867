import { z } from 'zod'
import { languageNames, type LanguageCode } from '#base/language.ts'
import type { Translate } from '#base/web/words.tsx'
import { secretSettings, allSettings, type AnySetting } from '#setting/contract.ts'

/** The options of a setting; null where it has none. Three devices are numbers, but have names. */
export function choicesOf(schema: z.ZodType, name: AnySetting): readonly string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  return name === 'supportAccessDevice' ? ['1', '2', '3'] : null
}

/** The suffix of an option's catalogue key. */
export function optionSuffix(value: string): string {
  return (value || 'empty').replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** All catalogue keys of a setting: its name first, then its description and options. */
export function keysOf(name: AnySetting): string[] {
  const choices = choicesOf(allSettings[name].schema, name) ?? []
  return [name, `${name}Help`, ...choices.map((choice) => name + optionSuffix(choice))]
}

export function formatValue(name: AnySetting, value: unknown, words: Translate): string {
  if (typeof value === 'boolean') return words(value ? 'on' : 'off')
  const text = Array.isArray(value) ? value.map((one) => optionName(name, String(one), words)).join(', ') : String(value)
  if (choicesOf(allSettings[name].schema, name)?.includes(text)) return words(name + optionSuffix(text))
  return text || words('nothing')
}

/** The name of one of several options: file types by extension, languages by name. */
export function optionName(name: AnySetting, option: string, words: Translate): string {
  if (name.endsWith('Kinds')) return option.toUpperCase()
  if (name === 'allowLoginAccountType' || name === 'allowRegisterAccountType') return words(`way${optionSuffix(option)}`)
  if (name === 'paymentProviders') return words(`provider${optionSuffix(option)}`)
  return languageNames[option as LanguageCode] ?? option
}

/** A value as a form shows it: lists are lines. */
export function formValue(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** Too long for one glance. */
export function isLong(text = ''): boolean {
  return text.length > 60
}

/** The description of a setting, its limits and its default. */
export function helpOf(name: AnySetting, words: Translate): string {
  const { schema, standard } = allSettings[name]
  const help = words(`${name}Help`)
  const made = isAll(schema, standard) ? words('everything') : formatValue(name, standard, words)
  if (secretSettings.has(name)) return help
  if (!(schema instanceof z.ZodNumber) || choicesOf(schema, name)) return words('withStandard', { help, standard: made })
  return words('withRange', { help, made: Number(standard), least: schema.minValue ?? 0, most: schema.maxValue ?? 0 })
}

function isAll(schema: z.ZodType, standard: unknown): boolean {
  if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodEnum) || !Array.isArray(standard)) return false
  return schema.element.options.every((option) => standard.includes(option))
}

/** The last editor of a setting, by account. */
export function actorName(by: string, words: Translate): string {
  return by === 'operator' ? words('operator') : by
}
