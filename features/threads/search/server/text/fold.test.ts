import { expect, test } from 'vitest'
import { fold } from '#search/server/text/fold.ts'

const texts = ['ＡＢ，龍井茶ＯＫ', 'Ünïcödé ГОРОД ΟΔΟΣ ça', '……①龍', 'מרחב שָׁלוֹם', 'مَرْحَبًا ٣', '\u{1F375}茶\ud800', 'が\u3099カ', '']

test.each(texts)('“%s” folds as its characters do, one after the other', (text) => {
  const { text: folded, origins } = fold(text)
  expect(folded).toBe([...text].map((character) => fold(`${character}…`).text.slice(0, -3)).join(''))
  expect(origins?.length ?? folded.length + 1).toBe(folded.length + 1)
  // A character cached from one text serves the next.
  expect(fold(text)).toEqual({ text: folded, origins })
})
