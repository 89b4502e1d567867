/** Without these signs at its end. A pattern such as `/[ \t]+$/` would try anew from each of many signs in the middle. */
export function withoutAtEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Without these signs at its beginning. */
export function withoutAtStart(text: string, signs: string): string {
  let start = 0
  while (start < text.length && signs.includes(text.charAt(start))) start++
  return text.slice(start)
}
