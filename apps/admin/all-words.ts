import { useEffect, useState } from 'react'
import type { Language } from '#base/web/screen.ts'
import { translatorFor, useLanguage, useTranslate, type Messages, type Translate } from '#base/web/words.tsx'

const catalogues = { en: () => import('virtual:words/en/all'), zh: () => import('virtual:words/zh/all') }

export async function wordsIn(language: Language): Promise<Messages> {
  return (await catalogues[language]()).default
}

/** Translators for the page's language, and for the other one once its texts are loaded. */
export function useBothLanguages(): readonly Translate[] {
  const language = useLanguage()
  const say = useTranslate()
  const [says, setSays] = useState<readonly Translate[]>([say])
  useEffect(() => {
    const other = language === 'en' ? 'zh' : 'en'
    let isHere = true
    wordsIn(other).then(
      (messages) => isHere && setSays([say, translatorFor({ language: other, messages })]),
      // The search works in one language too.
      (error: unknown) => console.info('The words of the other language did not come', error),
    )
    return () => void (isHere = false)
  }, [language, say])
  return says
}
