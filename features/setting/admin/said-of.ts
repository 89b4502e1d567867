import { z } from 'zod'
import { languageNames, type LanguageCode } from '#base/language.ts'
import type { Say } from '#base/web/words.tsx'
import { secretSettings, allSettings, type AnySetting } from '#setting/contract.ts'

/** What there is to choose from; null where it is no choice. Three devices are numbers, and have names all the same. */
export function choicesOf(takes: z.ZodType, name: AnySetting): readonly string[] | null {
  if (takes instanceof z.ZodEnum) return takes.options.map(String)
  if (takes instanceof z.ZodLiteral) return [...takes.values].map(String)
  return name === 'supportAccessDevice' ? ['1', '2', '3'] : null
}

/** The end of the key that a choice's name stands under. */
export function wordOf(value: string): string {
  return (value || 'empty').replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The keys of all that is said of a setting: its name first, then what it is for and what one may choose. */
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

/** What one of several is called: kinds of files by their ends, languages by their names. */
export function nameOf(name: AnySetting, option: string, words: Say): string {
  if (name.endsWith('Kinds')) return option.toUpperCase()
  if (name === 'allowLoginAccountType' || name === 'allowRegisterAccountType') return words(`way${wordOf(option)}`)
  if (name === 'paymentProviders') return words(`provider${wordOf(option)}`)
  return languageNames[option as LanguageCode] ?? option
}

/** A value as it stands in a form: lists are lines. */
export function asTyped(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** More than is read in passing. */
export function isLong(text = ''): boolean {
  return text.length > 60
}

/** What a setting is for, how much it may be, and what it was made with. */
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

/** Whoever changed a setting, by account. */
export function hand(by: string, words: Say): string {
  return by === 'operator' ? words('operator') : by
}
