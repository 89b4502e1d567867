import { z } from 'zod'
import { languageNames, type LanguageCode } from '#base/language.ts'
import type { Translate } from '#base/web/words.tsx'
import { allSettings, declarationOf, isWriteOnly, wordOf, type AnySetting } from '#setting/staff-contract.ts'

/** The options of a setting; null where it has none. Three devices are numbers, but have names. */
export function choicesOf(schema: z.ZodType, name: AnySetting): readonly string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  return name === 'supportAccessDevice' ? ['1', '2', '3'] : null
}

/** The suffix of an option's catalogue key. */
function optionSuffix(value: string): string {
  return (value || 'empty').replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The codes of all words of a setting: its name first, then its description and options. */
export function codesOf(name: AnySetting): string[] {
  const choices = choicesOf(allSettings[name].schema, name) ?? []
  return [wordOf(name), wordOf(name, `${name}Help`), ...choices.map((choice) => optionCode(name, choice))]
}

/** The code of an option's word. */
export function optionCode(name: AnySetting, option: string): string {
  return wordOf(name, (declarationOf(name).optionWords ?? name) + optionSuffix(option))
}

export function formatValue(name: AnySetting, value: unknown, say: Translate): string {
  if (typeof value === 'boolean') return say(value ? 'settingAdmin.on' : 'settingAdmin.off')
  const text = Array.isArray(value) ? value.map((one) => optionName(name, String(one), say)).join(', ') : String(value)
  if (choicesOf(allSettings[name].schema, name)?.includes(text)) return say(optionCode(name, text))
  return text || say('settingAdmin.nothing')
}

/** The name of one of several options: file types by extension, languages by name. */
export function optionName(name: AnySetting, option: string, say: Translate): string {
  if (name.endsWith('Kinds')) return option.toUpperCase()
  if (declarationOf(name).optionWords) return say(optionCode(name, option))
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
export function helpOf(name: AnySetting, say: Translate): string {
  const { schema, default: initial } = allSettings[name]
  const help = say(wordOf(name, `${name}Help`))
  const standardText = isAll(schema, initial) ? say('settingAdmin.everything') : formatValue(name, initial, say)
  if (isWriteOnly(name)) return help
  if (!(schema instanceof z.ZodNumber) || choicesOf(schema, name)) return say('settingAdmin.withStandard', { help, standard: standardText })
  return say('settingAdmin.withRange', { help, made: Number(initial), least: schema.minValue ?? 0, most: schema.maxValue ?? 0 })
}

function isAll(schema: z.ZodType, value: unknown): boolean {
  if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodEnum) || !Array.isArray(value)) return false
  return schema.element.options.every((option) => value.includes(option))
}

/** The last editor of a setting, by account. */
export function actorName(by: string, say: Translate): string {
  return by === 'operator' ? say('settingAdmin.operator') : by
}
