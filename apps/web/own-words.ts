import { currentWords } from '#apps/web/language.ts'
import type { Language } from '#apps/web/screen.ts'
import type { Messages } from '#base/web/words.tsx'

type Bring = Record<Language, () => Promise<{ default: Messages }>>

const first: Bring = { en: () => import('virtual:words/en'), zh: () => import('virtual:words/zh') }
const others: Bring = { en: () => import('virtual:words/en/more'), zh: () => import('virtual:words/zh/more') }
let needsOthers = false

/** The words that reading needs, and all of them once more than reading goes on. */
export async function wordsIn(language: Language): Promise<Messages> {
  const coming = needsOthers ? others[language]() : null
  const { default: messages } = await first[language]()
  // More may have been asked for meanwhile.
  const more = await (coming ?? (needsOthers ? others[language]() : null))
  for (const [feature, texts] of Object.entries(more?.default ?? {})) messages[feature] = { ...messages[feature], ...texts }
  return messages
}

/** Brings the words that reading does not need. Nobody has said one of them yet, so nothing is drawn anew. */
export async function bringOtherWords(): Promise<void> {
  needsOthers = true
  const { language } = currentWords.get()
  await wordsIn(language)
  // Who has switched meanwhile speaks the other.
  if (currentWords.get().language !== language) await bringOtherWords()
}
