import format, { type CompiledMessage } from 'icu-minify/format'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { isolateAll } from '#base/direction.ts'
import { formatters } from '#base/web/formatters.ts'
import { textFormats } from '#base/web/text-formats.ts'

/** Texts by feature and key, compiled when the pages are built. */
export type Messages = Record<string, Record<string, CompiledMessage>>
export type LoadedWords = { language: 'zh' | 'en'; messages: Messages }
export type Translate = (key: string, values?: Record<string, string | number | Date>) => string

const options = { formatters, formats: textFormats, timeZone: 'UTC' }

type MissingHandler = (feature: string, key: string) => string

// In tests and in development a missing text is an error.
let onMissing: MissingHandler = (feature, key) => {
  throw new Error(`There are no words for ${feature}.${key}`)
}

/** Sets the fallback for a missing text, so that the page still renders. */
export function setMissingHandler(say: MissingHandler): void {
  onMissing = say
}

/** The key in place of the text, reported once. */
export function reportMissing(feature: string, key: string): string {
  if (!reported.has(`${feature}.${key}`)) console.error(`There are no words for ${feature}.${key}`)
  reported.add(`${feature}.${key}`)
  return key
}

const reported = new Set<string>()
const WordsContext = createContext<LoadedWords | null>(null)

/** The texts of one feature in the page's language, with optional values for all of them. */
export function useWords(feature: string, always?: Record<string, string>): Translate {
  const spoken = useLoadedWords()
  return useMemo(() => (key, values) => textOf(spoken, feature, key, always ? { ...always, ...values } : values), [spoken, feature, always])
}

/** Translates a code such as `account.taken`. */
export function useTranslate(): Translate {
  const spoken = useLoadedWords()
  return useMemo(() => translatorFor(spoken), [spoken])
}

export function useLanguage(): LoadedWords['language'] {
  return useLoadedWords().language
}

export function WordsProvider({ language, messages, children }: LoadedWords & { children: ReactNode }) {
  const spoken = useMemo(() => ({ language, messages }), [language, messages])
  return <WordsContext value={spoken}>{children}</WordsContext>
}

/** The same as the hook, outside of a component. */
export function translatorFor(spoken: LoadedWords): Translate {
  return (code, values) => {
    const [feature = '', key = ''] = code.split('.')
    return textOf(spoken, feature, key, values)
  }
}

function useLoadedWords(): LoadedWords {
  const spoken = useContext(WordsContext)
  if (!spoken) throw new Error('Nobody says in which language')
  return spoken
}

function textOf({ language, messages }: LoadedWords, feature: string, key: string, values?: Parameters<Translate>[1]): string {
  const text = messages[feature]?.[key]
  if (text === undefined) return onMissing(feature, key)
  return typeof text === 'string' ? text : format(text, language, values && isolateAll(values), options).toString()
}
