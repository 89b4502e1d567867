import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createTranslator } from 'use-intl/core'
import type { RefusalValues } from '#base/contract.ts'
import { isolateAll } from '#base/direction.ts'
import { catalogueName, chooseLanguage } from '#base/language.ts'
import { folderOf, order } from '../../features/order.js'

export type Language = 'zh' | 'en'

const root = new URL('../../', import.meta.url)
const texts = { zh: catalogues('zh'), en: catalogues('en') }
const translators = { zh: translatorFor('zh'), en: translatorFor('en') }

/** The text for a code such as `account.taken`: the key `taken` in the catalogue of `account`. */
export function say(language: Language, code: string, values: RefusalValues = {}): string {
  const worded = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'object') return [name, value]
    return [name, 'text' in value ? say(language, value.text) : value[language]]
  })
  return translators[language](code, Object.fromEntries(worded))
}

/** The source text for a code, with its placeholders. */
export function textOf(language: Language, code: string): string {
  const [name = '', key = ''] = code.split('.')
  const text = texts[language][name]?.[key]
  if (text === undefined) throw new Error(`No words for ${code}`)
  return text
}

/** Formats a text that is not in a catalogue. Throws if it is not valid ICU. */
export function formatText(language: Language, text: string, values: RefusalValues): string {
  return translator(language, { text })('text', values)
}

function translatorFor(language: Language): (code: string, values: RefusalValues) => string {
  return translator(language, texts[language])
}

function catalogues(language: Language): Record<string, Record<string, string>> {
  return Object.fromEntries([...catalogueFolders()].map(([name, folder]) => [name, readCatalogue(new URL(`${language}.json`, folder))]))
}

function translator(locale: Language, messages: Record<string, unknown>): (code: string, values: RefusalValues) => string {
  const translate = createTranslator({ locale, messages, timeZone: 'UTC', onError: rethrow }) as unknown as (
    code: string,
    values: RefusalValues,
  ) => string
  return (code, values) => translate(code, isolateAll(values))
}

function rethrow(error: Error): never {
  throw error
}

function* catalogueFolders(): Iterable<[string, URL]> {
  for (const name of readdirSync(new URL('base/words/', root))) yield [name, new URL(`base/words/${name}/`, root)]
  for (const name of order) {
    const folder = new URL(`${folderOf(name)}/words/`, root)
    if (existsSync(folder)) yield [camel(name), folder]
  }
}

function readCatalogue(file: URL): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Anything that begins with zh is Chinese, everything else English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return catalogueName(chooseLanguage(null, null, acceptLanguage ?? null))
}
