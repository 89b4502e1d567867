import type { Visitor } from '#base/testing/visitor.ts'
import { addSensitiveList, addSensitiveWords, type wordActions } from '#sensitive-word/contract.ts'

/** A list of words with this action. Returns its id. */
export async function aList(by: Visitor, action: (typeof wordActions)[number], ...words: string[]): Promise<string> {
  const { listId } = await by.call(addSensitiveList, { name: `Words to ${action}`, action, isEnabled: true })
  await by.call(addSensitiveWords, { listId, words: words.join('\n') })
  return listId
}
