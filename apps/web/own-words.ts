import { useEffect, useState } from 'react'
import { currentWords } from '#apps/web/language.ts'
import type { Language } from '#apps/web/screen.ts'
import { keyFor, whenMissing, type Messages, type Spoken } from '#base/web/words.tsx'

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

/**
 * The first catalogue holds the keys found in the sources of reading screens, where a key that comes as data is not seen. A missing word is
 * reported, the full catalogue is fetched and the page drawn again; the key itself stands only for a word that no catalogue has.
 */
export function bringMissingWords(): void {
  let coming: Promise<void> | null = null
  let hasCome = false
  async function bring(): Promise<void> {
    await bringOtherWords()
    const { language } = currentWords.get()
    const messages = await wordsIn(language)
    hasCome = true
    currentWords.set({ language, messages: { ...messages } })
  }
  whenMissing((feature, key) => {
    const text = keyFor(feature, key)
    if (hasCome) return text
    coming ??= bring().catch((error: unknown) => {
      coming = null
      console.info('Words did not come', error)
    })
    return ''
  })
}

/** Language and catalogue of the page: those it was hydrated with, then those that were loaded. */
export function useCurrentWords(first: Spoken): [Spoken, (spoken: Spoken) => void] {
  const [spoken, speak] = useState(first)
  useEffect(() => {
    const follow = () => {
      const now = currentWords.get()
      speak((before) => (before.language === now.language && before.messages === now.messages ? before : now))
    }
    follow()
    return currentWords.watch(follow)
  }, [])
  return [spoken, speak]
}
