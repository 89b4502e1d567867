import { Fragment, type ReactNode } from 'react'
import { bothLanguages, type InBoth } from '#base/both-languages.ts'
import { storeOf } from '#base/web/store.ts'

type Language = keyof InBoth

/** The languages that the site offers: staff are asked for texts in these alone. */
export const offeredLanguages = storeOf<readonly Language[]>(bothLanguages)

type Text = { name: string; language: Language; value: string | undefined; isFirst: boolean; isAlone: boolean }
type Props = {
  /** What the fields are called. */
  names: InBoth
  /** What stands there; without it, what is not asked for is not kept. */
  kept?: InBoth | undefined
  children: (text: Text) => ReactNode
}

/** The fields of one text, in the languages that are offered. In another it stays as it is, unless it only stood in there. */
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
