import { expect, test } from 'vitest'
import { colourOf, colours, lettersOf } from '#user/web/letters.ts'

test('a person without a picture is shown by the letters of their name', () => {
  const names = {
    林小雨: '林',
    mei_lin: 'Me',
    'Tom 小明': '小',
    x: 'X',
    '42': '4',
    さくら: 'さ',
    Ünal: 'Ün',
    _9_a: 'A',
    '🍵tea': 'Te',
    '': '·',
  }
  for (const [name, letters] of Object.entries(names)) expect(lettersOf(name), name).toBe(letters)
})

test('neighbours have different colours, and all eight are used', () => {
  const ids = Array.from({ length: 64 }, (_, at) => String(at + 1))
  const counts = Array.from({ length: colours }, (_, colour) => ids.filter((id) => colourOf(id) === colour).length)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(4)
  expect(colourOf('31')).toBe(colourOf('31'))
})
