/** Whether every typed word occurs in these texts, regardless of hyphens. */
export function matchesWords(typed: string, texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase()
  const closed = text.replaceAll('-', '')
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || closed.includes(word.replaceAll('-', '')))
}
