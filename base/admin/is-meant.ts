/** Whether each word that was typed stands somewhere in these texts, however it is hyphenated. */
export function isMeant(typed: string, texts: readonly string[]): boolean {
  const said = texts.join(' ').toLowerCase()
  const closed = said.replaceAll('-', '')
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word) || closed.includes(word.replaceAll('-', '')))
}
