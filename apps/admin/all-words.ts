import { useEffect, useState } from 'react'
import type { Language } from '#apps/web/screen.ts'
import { sayIn, useLanguage, useSay, type Messages, type Say } from '#base/web/words.tsx'

const brought = { en: () => import('virtual:words/en/all'), zh: () => import('virtual:words/zh/all') }

export async function wordsIn(language: Language): Promise<Messages> {
  return (await brought[language]()).default
}

/** Translators for the page's language, and for the other one once its texts are loaded. */
export function useBothLanguages(): readonly Say[] {
  const language = useLanguage()
  const say = useSay()
  const [says, setSays] = useState<readonly Say[]>([say])
  useEffect(() => {
    const other = language === 'en' ? 'zh' : 'en'
    let isHere = true
    wordsIn(other).then(
      (messages) => isHere && setSays([say, sayIn({ language: other, messages })]),
      // The search works in one language too.
      (error: unknown) => console.info('The words of the other language did not come', error),
    )
    return () => void (isHere = false)
  }, [language, say])
  return says
}
