/** The text without these characters at its end. A pattern such as `/[ \t]+$/` is quadratic for a long run in the middle. */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without these characters at its beginning. */
export function trimStartChars(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start++
  return text.slice(start)
}
