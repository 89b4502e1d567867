import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { testSensitiveWords } from '#sensitive-word/contract.ts'
import { all } from '#sensitive-word/server/known.ts'
import { look, type Met } from '#sensitive-word/server/sensitive-word.ts'

/** The result of the filter for a title and a text. Counts no hits. */
export async function tried(db: Db, { title, text }: ParsedInput<typeof testSensitiveWords>): Promise<Output<typeof testSensitiveWords>> {
  const known = await all(db)
  const inTitle = look(known, title)
  const inText = look(known, text)
  const hits = [...inTitle.met.map((met) => view(met, true)), ...inText.met.map((met) => view(met, false))]
  const does = (action: Met['list']['action']) => hits.some((hit) => hit.action === action)
  const outcome = does('refuse') ? 'refused' : does('review') ? 'waits' : does('replace') ? 'replaced' : 'passes'
  return { outcome, title: inTitle.text, text: inText.text, hits: hits.slice(0, 500) }
}

function view({ word, list, as }: Met, isInTitle: boolean) {
  return { word, list: list.name, action: list.action, as, isInTitle }
}
