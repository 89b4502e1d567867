import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const tokens = new Map(
  [...css('./tokens.css').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name, [light, dark]]),
)
const codeColours = [...css('./prose.css').matchAll(/color: light-dark\((#\w{6}), (#\w{6})\)/g)].map(
  ([, light = '', dark = '']) => [light, dark] as const,
)

const themes = ['light', 'dark'] as const
const grounds = ['paper', 'sheet', 'tea-wash']
const inks = ['ink', 'ink-2', 'ink-3', 'tea', 'lantern', 'gold']

test.each(themes)('every ink can be read on every ground in the %s', (theme) => {
  const faint = inks.flatMap((ink) => grounds.map((ground) => [ink, ground, contrast(token(ink, theme), token(ground, theme))] as const))
  expect(faint.filter(([, , times]) => times < 4.5)).toEqual([])
})

test.each(themes)('the label of a button can be read in the %s, and the edge of a field be seen', (theme) => {
  expect(contrast(token('on-tea', theme), token('tea', theme))).toBeGreaterThanOrEqual(4.5)
  for (const ground of ['paper', 'sheet']) expect(contrast(token('field', theme), token(ground, theme))).toBeGreaterThanOrEqual(3)
})

test('every colour of code can be read on its ground', () => {
  expect(codeColours.length).toBeGreaterThan(4)
  const faint = codeColours.flatMap(([light, dark]) => [
    [light, contrast(light, token('sheet', 'light'))] as const,
    [dark, contrast(dark, token('sheet', 'dark'))] as const,
  ])
  expect(faint.filter(([, times]) => times < 4.5)).toEqual([])
})

function token(name: string, theme: (typeof themes)[number]): string {
  const colour = tokens.get(name)?.[theme === 'light' ? 0 : 1]
  if (!colour) throw new Error(`There is no token ${name}`)
  return colour
}

/** As WCAG defines it. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
