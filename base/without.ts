/** The text without these characters at its end. A pattern such as `/[ \t]+$/` is quadratic for a long run in the middle. */
export function withoutAtEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without these characters at its beginning. */
export function withoutAtStart(text: string, signs: string): string {
  let start = 0
  while (start < text.length && signs.includes(text.charAt(start))) start++
  return text.slice(start)
}
