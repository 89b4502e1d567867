import { Fragment, type ReactNode } from 'react'
import { bothLanguages, type Bilingual } from '#base/both-languages.ts'
import { createStore } from '#base/web/store.ts'

type Language = keyof Bilingual

/** The languages that the site offers, and in which staff enter texts. */
export const offeredLanguages = createStore<readonly Language[]>(bothLanguages)

type Text = { name: string; language: Language; value: string | undefined; isFirst: boolean; isAlone: boolean }
type Props = {
  /** The field names. */
  names: Bilingual
  /** The stored text; without it, languages that are not offered stay empty. */
  stored?: Bilingual | undefined
  children: (text: Text) => ReactNode
}

/** The fields of one text in the offered languages. A text in another language is kept, unless it was only a stand-in. */
export function InLanguages({ names, stored, children }: Props) {
  const offered = offeredLanguages.use()
  return bothLanguages.map((language) => {
    const isFirst = language === offered[0]
    const text = { name: names[language], language, value: stored?.[language], isFirst, isAlone: offered.length === 1 }
    if (offered.includes(language)) return <Fragment key={language}>{children(text)}</Fragment>
    const isOwn = stored !== undefined && stored.zh !== stored.en
    return isOwn && <input key={language} type="hidden" name={names[language]} defaultValue={stored[language]} />
  })
}
