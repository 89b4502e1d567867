import { refusalAt, throwAll } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { wordActions, WordsInField } from '#sensitive-word/contract.ts'
import { wordIndex, type WordIndex, type List } from '#sensitive-word/server/word-cache.ts'
import { countHits } from '#sensitive-word/server/hits.ts'
import { textIn, withText } from '#sensitive-word/server/matching/in-document.ts'
import { find } from '#sensitive-word/server/matching/matcher.ts'

export { hits } from '#sensitive-word/server/hits.ts'

/** A post with masked words, and the words that refuse or hold it. */
export type ScreenedPost = {
  title: string | undefined
  document: Doc
  refused: { title: string[]; text: string[]; others: Record<string, string[]> }
  reviewed: string[]
}

type PostText = { title?: string | null | undefined; document: Doc }
/** `texts` are those beside the body, by the names of their fields. */
type ScreenedText = PostText & { texts?: Readonly<Record<string, string>> | undefined }

/**
 * Screens a post for sensitive words before it is published, and counts the hits. Texts beside the body are not masked, so that words to be masked
 * are refused there.
 */
export async function screen(db: Db, { title, document, texts = {} }: ScreenedText): Promise<ScreenedPost> {
  const index = await wordIndex(db)
  const inTitle = scan(index, title ?? '')
  const inText = scan(index, textIn(document))
  const inOthers = Object.entries(texts).map(([field, text]) => ({ field, hits: scan(index, text).hits }))
  const met = [inTitle, inText, ...inOthers].flatMap(({ hits }) => hits)
  countHits(db, new Set(met.map(({ id }) => id)))
  const others = inOthers.map(({ field, hits }) => [field, wordsOf(hits.filter(({ list }) => list.action !== 'review'))] as const)
  const words = (among: readonly WordHit[], action: List['action']) => wordsOf(among.filter(({ list }) => list.action === action))
  return {
    title: title === undefined || title === null ? undefined : inTitle.text,
    document: inText.isChanged ? withText(document, inText.text) : document,
    refused: { title: words(inTitle.hits, 'refuse'), text: words(inText.hits, 'refuse'), others: Object.fromEntries(others) },
    reviewed: words(met, 'review'),
  }
}

/**
 * Refuses texts with sensitive words, each at its field: any listed word in texts that are neither reviewed nor masked; or only words of
 * refusing lists.
 */
export async function refuseIn(
  db: Db,
  texts: Readonly<Record<string, string>>,
  actions: readonly List['action'][] = wordActions,
): Promise<void> {
  const index = await wordIndex(db)
  const unwelcome = Object.entries(texts).map(([field, text]) => ({
    field,
    met: scan(index, text).hits.filter(({ list }) => actions.includes(list.action)),
  }))
  countHits(db, new Set(unwelcome.flatMap(({ met }) => met.map(({ id }) => id))))
  throwAll(
    unwelcome.flatMap(({ field, met }) => (met.length > 0 ? [refusalAt(field, WordsInField)({ words: wordsOf(met).join(' ') })] : [])),
  )
}

/** Refuses a post that comes back as it was with words that are refused or masked by now. */
export async function refuseInReturning(db: Db, { title, document }: PostText): Promise<void> {
  await refuseIn(db, { title: title ?? '', text: textIn(document) }, ['refuse', 'replace'])
}

export type FoundWord = { word: string; as: string; list: string }

/** The sensitive words in a post, each once as written there. Counts no hits. */
export async function wordsIn(db: Db, { title, document }: PostText): Promise<FoundWord[]> {
  const index = await wordIndex(db)
  const met = [...scan(index, title ?? '').hits, ...scan(index, textIn(document)).hits]
  return [...new Map(met.map(({ word, as, list }) => [as, { word, as, list: list.name }])).values()]
}

export type WordHit = { id: string; word: string; list: List; as: string }
export type ScanResult = { hits: WordHit[]; text: string; isChanged: boolean }

/** Every sensitive word in a text, and the text with masked words. */
export function scan({ compiled, words, lists }: WordIndex, text: string): ScanResult {
  const found = find(compiled, text).map(({ word, from, to }) => ({ from, to, met: metAt(word, text.slice(from, to)) }))
  const hidden = found.filter(({ met }) => met.list.action === 'replace')
  return { hits: found.map(({ met }) => met), text: masked(text, hidden), isChanged: hidden.length > 0 }

  function metAt(number: number, as: string): WordHit {
    const list = lists[words.lists[number] ?? -1]
    if (!list) throw new Error(`Word ${number} is in no list`)
    return { id: words.ids[number] ?? '', word: words.texts[number] ?? '', list, as }
  }
}

// The length stays the same, so that later positions stay valid.
function masked(text: string, places: readonly { from: number; to: number }[]): string {
  if (places.length === 0) return text
  const units = text.split('')
  for (const { from, to } of places) {
    for (let at = from; at < to; at++) if (!/\s/.test(units[at] ?? '')) units[at] = '*'
  }
  return units.join('')
}

function wordsOf(met: readonly WordHit[]): string[] {
  return [...new Set(met.map(({ word }) => word))]
}
