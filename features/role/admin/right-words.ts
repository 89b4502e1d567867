import { globalRights, tagRights } from '#role/contract.ts'

const rights: ReadonlySet<string> = new Set([...tagRights, ...globalRights])

/** The key of the words for a right: `mayTopicPublish` for `topic.publish`. Itself where this version of the forum does not know it. */
export function rightWord(right: string): string {
  if (!rights.has(right)) return right
  const name = right.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `may${name}`
}
