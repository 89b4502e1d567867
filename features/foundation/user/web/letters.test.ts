import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from '#base/main-colour.ts'
import { colourOf, colours, lettersOf } from '#user/letters.ts'

test('a member without a picture has an avatar with the letters of their name', () => {
  const names = {
    林小雨: '林',
    mei_lin: 'M',
    'Tom 小明': '小',
    x: 'X',
    '42': '4',
    さくら: 'さ',
    Ünal: 'Ü',
    _9_a: 'A',
    '🍵tea': 'T',
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

test('the letters read on the ground of every colour', () => {
  const css = readFileSync(new URL('./user.module.css', import.meta.url), 'utf8')
  const grounds = [...css.matchAll(/data-colour='\d'\] \{\n  background: (#[0-9a-f]{6})/g)].map(([, ground = '']) => ground)
  expect(new Set(grounds).size).toBe(colours)
  for (const ground of grounds) expect(contrast('#ffffff', ground), ground).toBeGreaterThanOrEqual(4.5)
})
