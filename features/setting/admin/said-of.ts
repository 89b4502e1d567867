import { z } from 'zod'
import type { Say } from '#base/web/words.tsx'
import { settings, type SettingName } from '#setting/contract.ts'

// These say all in their names.
export const plain = new Set<SettingName>([
  'closedTextEn',
  'takesTopics',
  'takesTopicEdits',
  'takesComments',
  'takesReplies',
  'takesReports',
  'takesFeedback',
  'feedbackCaptcha',
  'registerCaptcha',
  'topicsPerPage',
  'commentsPerPage',
  'heatPerComment',
  'heatPerView',
])

/** What there is to choose from; null where it is no choice. Three devices are numbers, and have names all the same. */
export function choicesOf(takes: z.ZodType, name: SettingName): readonly string[] | null {
  if (takes instanceof z.ZodEnum) return takes.options.map(String)
  if (takes instanceof z.ZodLiteral) return [...takes.values].map(String)
  return name === 'supportAccessDevice' ? ['1', '2', '3'] : null
}

/** The end of the key that a choice's name stands under. */
export function wordOf(value: string): string {
  return value.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The keys of all that is said of a setting: its name first, then what it is for and what one may choose. */
export function keysOf(name: SettingName): string[] {
  const choices = choicesOf(settings[name].takes, name) ?? []
  return [name, ...(plain.has(name) ? [] : [`${name}Help`]), ...choices.map((choice) => name + wordOf(choice))]
}

export function sayValue(name: SettingName, value: unknown, words: Say): string {
  if (typeof value === 'boolean') return words(value ? 'on' : 'off')
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  if (text === '') return words('nothing')
  return choicesOf(settings[name].takes, name)?.includes(text) ? words(name + wordOf(text)) : text
}

export function shortly(name: SettingName, value: unknown, words: Say): string {
  const text = sayValue(name, value, words)
  return text.length > 60 ? words('long') : text
}
