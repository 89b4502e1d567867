import { z } from 'zod'
import { languageNames, type LanguageCode } from '#base/language.ts'
import type { Say } from '#base/web/words.tsx'
import { secretSettings, allSettings, type AnySetting } from '#setting/contract.ts'

/** The options of a setting; null where it has none. Three devices are numbers, but have names. */
export function choicesOf(takes: z.ZodType, name: AnySetting): readonly string[] | null {
  if (takes instanceof z.ZodEnum) return takes.options.map(String)
  if (takes instanceof z.ZodLiteral) return [...takes.values].map(String)
  return name === 'supportAccessDevice' ? ['1', '2', '3'] : null
}

/** The suffix of an option's catalogue key. */
export function wordOf(value: string): string {
  return (value || 'empty').replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** All catalogue keys of a setting: its name first, then its description and options. */
export function keysOf(name: AnySetting): string[] {
  const choices = choicesOf(allSettings[name].takes, name) ?? []
  return [name, `${name}Help`, ...choices.map((choice) => name + wordOf(choice))]
}

export function sayValue(name: AnySetting, value: unknown, words: Say): string {
  if (typeof value === 'boolean') return words(value ? 'on' : 'off')
  const text = Array.isArray(value) ? value.map((one) => nameOf(name, String(one), words)).join(', ') : String(value)
  if (choicesOf(allSettings[name].takes, name)?.includes(text)) return words(name + wordOf(text))
  return text || words('nothing')
}

/** The name of one of several options: file types by extension, languages by name. */
export function nameOf(name: AnySetting, option: string, words: Say): string {
  if (name.endsWith('Kinds')) return option.toUpperCase()
  if (name === 'allowLoginAccountType' || name === 'allowRegisterAccountType') return words(`way${wordOf(option)}`)
  if (name === 'paymentProviders') return words(`provider${wordOf(option)}`)
  return languageNames[option as LanguageCode] ?? option
}

/** A value as a form shows it: lists are lines. */
export function asTyped(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** Too long for one glance. */
export function isLong(text = ''): boolean {
  return text.length > 60
}

/** The description of a setting, its limits and its default. */
export function helpOf(name: AnySetting, words: Say): string {
  const { takes, standard } = allSettings[name]
  const help = words(`${name}Help`)
  const made = isAll(takes, standard) ? words('everything') : sayValue(name, standard, words)
  if (secretSettings.has(name)) return help
  if (!(takes instanceof z.ZodNumber) || choicesOf(takes, name)) return words('withStandard', { help, standard: made })
  return words('withRange', { help, made: Number(standard), least: takes.minValue ?? 0, most: takes.maxValue ?? 0 })
}

function isAll(takes: z.ZodType, standard: unknown): boolean {
  if (!(takes instanceof z.ZodArray) || !(takes.element instanceof z.ZodEnum) || !Array.isArray(standard)) return false
  return takes.element.options.every((option) => standard.includes(option))
}

/** The last editor of a setting, by account. */
export function hand(by: string, words: Say): string {
  return by === 'operator' ? words('operator') : by
}
