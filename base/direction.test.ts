import { expect, test } from 'vitest'
import { directionOf, isolate, isolateAll } from '#base/direction.ts'

test.each([
  ['مرحبا بالعالم 123 (abc)', 'rtl'],
  ['123 (abc) مرحبا', 'ltr'],
  ['«שלום» abc', 'rtl'],
  ['پارسی', 'rtl'],
  ['ހެލޯ', 'rtl'],
  ['\ufedf\ufe8e', 'rtl'],
  ['茶 مرحبا', 'ltr'],
  ['Чай', 'ltr'],
  ['ไทย', 'ltr'],
  ['١٢٣ – 45%', null],
  ['🍵', null],
  ['', null],
])('%s is read %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})

test('a text is isolated if a letter of it could turn its surroundings, and not otherwise', () => {
  expect(isolate('مرحبا')).toBe('\u2068مرحبا\u2069')
  expect(isolate('abc (שלום)')).toBe('\u2068abc (שלום)\u2069')
  for (const text of ['Mei', '林小雨', 'Чай №5', '١٢٣', '']) expect(isolate(text)).toBe(text)
  for (const text of [isolate('דנה'), `${isolate('דנה')} and ${isolate('مي')}`]) expect(isolate(text)).toBe(text)
  const at = new Date(0)
  expect(isolateAll({ name: 'דנה', title: 'Tea', count: 2, at })).toEqual({ name: '\u2068דנה\u2069', title: 'Tea', count: 2, at })
})
