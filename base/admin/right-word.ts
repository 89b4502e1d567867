/** A right such as `member.edit` as the key of its words: `mayMemberEdit`. */
export function rightWord(right: string): string {
  const name = right.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `may${name}`
}
