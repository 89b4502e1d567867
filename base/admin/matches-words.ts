/** Whether every typed word occurs in these texts, regardless of hyphens. */
export function matchesWords(typed: string, texts: readonly string[]): boolean {
  const said = texts.join(' ').toLowerCase()
  const closed = said.replaceAll('-', '')
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word) || closed.includes(word.replaceAll('-', '')))
}
