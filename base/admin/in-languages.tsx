import { Fragment, type ReactNode } from 'react'
import { bothLanguages, type InBoth } from '#base/both-languages.ts'
import { storeOf } from '#base/web/store.ts'

type Language = keyof InBoth

/** The languages that the site offers, and in which staff enter texts. */
export const offeredLanguages = storeOf<readonly Language[]>(bothLanguages)

type Text = { name: string; language: Language; value: string | undefined; isFirst: boolean; isAlone: boolean }
type Props = {
  /** The field names. */
  names: InBoth
  /** The stored text; without it, languages that are not offered stay empty. */
  kept?: InBoth | undefined
  children: (text: Text) => ReactNode
}

/** The fields of one text in the offered languages. A text in another language is kept, unless it was only a stand-in. */
export function InLanguages({ names, kept, children }: Props) {
  const offered = offeredLanguages.use()
  return bothLanguages.map((language) => {
    const isFirst = language === offered[0]
    const text = { name: names[language], language, value: kept?.[language], isFirst, isAlone: offered.length === 1 }
    if (offered.includes(language)) return <Fragment key={language}>{children(text)}</Fragment>
    const isOwn = kept !== undefined && kept.zh !== kept.en
    return isOwn && <input key={language} type="hidden" name={names[language]} defaultValue={kept[language]} />
  })
}
