import { useEffect, useState } from 'react'
import { currentWords } from '#apps/web/language.ts'
import type { Language } from '#base/web/screen.ts'
import { reportMissing, setMissingHandler, type Messages, type LoadedWords } from '#base/web/words.tsx'

type LoadCatalogue = Record<Language, () => Promise<{ default: Messages }>>

const first: LoadCatalogue = { en: () => import('virtual:words/en'), zh: () => import('virtual:words/zh') }
const others: LoadCatalogue = { en: () => import('virtual:words/en/more'), zh: () => import('virtual:words/zh/more') }
let needsOthers = false

/** The texts that reading needs, and all of them once more was used. */
export async function wordsIn(language: Language): Promise<Messages> {
  const coming = needsOthers ? others[language]() : null
  const { default: messages } = await first[language]()
  // More may have been requested meanwhile.
  const more = await (coming ?? (needsOthers ? others[language]() : null))
  for (const [feature, texts] of Object.entries(more?.default ?? {})) messages[feature] = { ...messages[feature], ...texts }
  return messages
}

/** Loads the texts that reading does not need. None of them is on the page yet, so nothing is rendered again. */
export async function loadOtherWords(): Promise<void> {
  needsOthers = true
  const { language } = currentWords.get()
  await wordsIn(language)
  // The language may have been switched meanwhile.
  if (currentWords.get().language !== language) await loadOtherWords()
}

/**
 * The first catalogue holds the keys found in the sources of reading screens, which misses keys that come as data. A missing text is
 * reported, the full catalogue is loaded and the page rendered again; the key itself is shown only for a text in no catalogue.
 */
export function loadMissingWords(): void {
  let coming: Promise<void> | null = null
  let hasCome = false
  async function bring(): Promise<void> {
    await loadOtherWords()
    const { language } = currentWords.get()
    const messages = await wordsIn(language)
    hasCome = true
    currentWords.set({ language, messages: { ...messages } })
  }
  setMissingHandler((feature, key) => {
    const text = reportMissing(feature, key)
    if (hasCome) return text
    coming ??= bring().catch((error: unknown) => {
      coming = null
      console.info('Words did not come', error)
    })
    return ''
  })
}

/** Language and catalogue of the page: those of the hydration, then those loaded later. */
export function useCurrentWords(first: LoadedWords): [LoadedWords, (spoken: LoadedWords) => void] {
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
