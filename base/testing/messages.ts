import compile from 'icu-minify/compile'
import type { Messages } from '#base/web/words.tsx'

/** Texts in the format of `words/`, compiled as in a build. */
export function messagesOf(texts: Record<string, Record<string, string>>): Messages {
  return Object.fromEntries(
    Object.entries(texts).map(([feature, its]) => [
      feature,
      Object.fromEntries(Object.entries(its).map(([key, text]) => [key, compile(text)])),
    ]),
  )
}
