import { catalogueName, chooseLanguage } from '#base/language.ts'
import { createStore } from '#base/web/store.ts'
import type { Messages, LoadedWords } from '#base/web/words.tsx'
import type { Language } from '#base/web/screen.ts'

const year = 365 * 86_400

/** The current texts, for code outside of components. */
export const currentWords = createStore<LoadedWords>({ language: 'zh', messages: {} })

/** Switches the language in place: loads the texts, renders them, and stores the choice here and on the server for the next page. */
export function languageSwitcher(wordsIn: (language: Language) => Promise<Messages>, show: (spoken: LoadedWords) => void) {
  return async (language: Language): Promise<void> => {
    const messages = await wordsIn(language)
    const code = chooseLanguage(language, null, null)
    localStorage.setItem('language', code)
    delete document.documentElement.dataset['speaks']
    document.cookie = `language=${code}; Path=/; Max-Age=${year}; SameSite=Lax`
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
    currentWords.set({ language, messages })
    show({ language, messages })
  }
}

/** The language to show if the page arrived in another, because the server did not know the choice. */
export function initialLanguage(rendered: Language, siteDefault: string | null, offered: readonly string[] = []): Language {
  const fromCookie = /(?:^|;\s*)language=([^;]+)/.exec(document.cookie)?.[1]
  const stored = fromCookie ?? localStorage.getItem('language')
  if (!stored) return rendered
  const code = chooseLanguage(stored, siteDefault, navigator.language)
  return offered.length > 0 && !offered.includes(code) ? rendered : catalogueName(code)
}
