import { fold } from '#search/server/text/fold.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { nameAt, scan } from '#search/server/text/tokens.ts'

/** The word that a token of a query was typed in, by number, and the token of the name that it is a part of. */
export type Unit = { unit: number; name: string | null }

// Words on both sides of other signs are words of their own: tea/coffee.
const together = /^[^\s,;/!?，。；！？、()]*$/

/** What was typed as one word, for each token of a text: the parts of node.js, the letters and digits of mp3. Numbers begin at `first`. */
export function unitsIn(text: string, first: number): Unit[] {
  const { text: folded } = fold(text)
  const units: Unit[] = []
  let unit = first - 1
  let name = { word: '', end: 0 }
  let last = { end: 0, isWord: false }
  scan(folded, (at, end, isWord) => {
    if (!isWord || !last.isWord || !together.test(folded.slice(last.end, at))) unit++
    if (isWord) name = nameAt(folded, at, end) ?? name
    units.push({ unit, name: isWord && at < name.end ? stemOf(name.word) : null })
    last = { end, isWord }
    return true
  })
  return units
}
