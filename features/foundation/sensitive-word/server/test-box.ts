import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { testSensitiveWords } from '#sensitive-word/contract.ts'
import { wordIndex } from '#sensitive-word/server/word-cache.ts'
import { scan, type WordHit } from '#sensitive-word/server/sensitive-word.ts'

/** The result of the filter for a title and a text. Counts no hits. */
export async function screenTest(
  db: Db,
  { title, text }: ParsedInput<typeof testSensitiveWords>,
): Promise<Output<typeof testSensitiveWords>> {
  const index = await wordIndex(db)
  const inTitle = scan(index, title)
  const inText = scan(index, text)
  const hits = [...inTitle.hits.map((met) => view(met, true)), ...inText.hits.map((met) => view(met, false))]
  const does = (action: WordHit['list']['action']) => hits.some((hit) => hit.action === action)
  const outcome = does('refuse') ? 'refused' : does('review') ? 'waits' : does('replace') ? 'replaced' : 'passes'
  return { outcome, title: inTitle.text, text: inText.text, hits: hits.slice(0, 500) }
}

function view({ word, list, as }: WordHit, isInTitle: boolean) {
  return { word, list: list.name, action: list.action, as, isInTitle }
}
