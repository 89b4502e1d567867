import { pascalCase } from '#base/pascal-case.ts'
import { globalRights, tagRights } from '#role/contract.ts'

const rights: ReadonlySet<string> = new Set([...tagRights, ...globalRights])

/** The key of the words for a right: `mayTopicPublish` for `topic.publish`. Itself where this version of the forum does not know it. */
export function rightWord(right: string): string {
  return rights.has(right) ? `may${pascalCase(right)}` : right
}
