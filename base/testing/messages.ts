import compile from 'icu-minify/compile'
import type { Messages } from '#base/web/words.tsx'

/** Texts as they stand in `words/`, compiled as they are when the pages are built. */
export function messagesOf(texts: Record<string, Record<string, string>>): Messages {
  return Object.fromEntries(
    Object.entries(texts).map(([feature, its]) => [
      feature,
      Object.fromEntries(Object.entries(its).map(([key, text]) => [key, compile(text)])),
    ]),
  )
}
