const maxWords = 40
const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{M}\p{N}]+/gu
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

// Stop words.
const stopWords = new Set(
  'a an and are as at be but by can did do does for from get had has have how i if in into is it its me my no not of on or our so that the their them then there they this to up was we were what when where which who why will with you your'.split(
    ' ',
  ),
)

/** The terms by which titles are compared: words, or bigrams where writing has no spaces. */
export function titleWords(title: string): string[] {
  const found = new Set<string>()
  for (const [piece] of title.normalize('NFKC').toLowerCase().matchAll(runs)) {
    for (const word of unspaced.test(piece) ? bigrams(piece) : [piece]) {
      if (!stopWords.has(word)) found.add(word)
    }
  }
  return [...found].slice(0, maxWords)
}

function bigrams(text: string): string[] {
  const characters = [...text]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`)
}
