import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, fingerprintOf } from '#writing/server/text-fingerprint.ts'

const anyText = fc.string({ unit: 'binary' })
const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ019!?~茶馆好喝Éñß') })
const unseen = fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u3000', '\u200b', '\u2060', '\u00ad', '\ufeff')

test('a folded text folds to itself', () => {
  fc.assert(fc.property(anyText, (text) => fold(fold(text)) === fold(text)))
})

test('case and width make no other text', () => {
  fc.assert(
    fc.property(letters, (text) => {
      const same = [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), wide(text)]
      expect(new Set(same.map(fold))).toEqual(new Set([fold(text)]))
    }),
  )
})

test('spaces and invisible characters make no other text, in any place', () => {
  fc.assert(
    fc.property(letters, fc.array(fc.tuple(fc.nat(), unseen)), (text, added) => {
      const characters = [...text]
      for (const [at, one] of added) characters.splice(at % (characters.length + 1), 0, one)
      expect(fold(characters.join(''))).toBe(fold(text))
    }),
  )
})

test('other letters make another text', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'abcdef012茶馆水叶'), minLength: 1 })
  fc.assert(fc.property(plain, plain, (one, other) => (fold(one) === fold(other)) === (one === other)))
})

test('twenty characters are the same everywhere, fewer only in their place and with their pictures', () => {
  const fingerprint = (text: string, place = 'here', fileIds: string[] = []) => fingerprintOf({ text, place, fileIds }).toString('hex')
  const [long, short] = ['The third brew, ever so good', '谢谢楼主分享']
  expect(fingerprint(long, 'there', ['cup'])).toBe(fingerprint(long.toUpperCase()))
  expect(fingerprint('x'.repeat(20), 'there')).toBe(fingerprint('x'.repeat(20)))
  expect(fingerprint('x'.repeat(19), 'there')).not.toBe(fingerprint('x'.repeat(19)))
  expect(fingerprint('茶'.repeat(19) + '🍵', 'there')).toBe(fingerprint('茶'.repeat(19) + '🍵'))
  expect(fingerprint(short)).toBe(fingerprint(` ${short} `))
  expect(fingerprint(short, 'there')).not.toBe(fingerprint(short))
  expect(fingerprint(short, 'here', ['cup'])).not.toBe(fingerprint(short))
})

function wide(text: string): string {
  return [...text].map((one) => (/[!-~]/.test(one) ? String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0) : one)).join('')
}
