import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, mainColours, htmlTag } from '#base/main-colour.ts'
import { runs } from '#base/testing/extent.ts'

const css = readFileSync(new URL('./web/tokens.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light = '', dark = '']) => [name, { light, dark }]),
)
const themes = ['light', 'dark'] as const

test('any colour is readable on every ground, its buttons too, and every ink on its wash', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom(...themes), (number, theme) => {
      const colours = mainColours(`#${number.toString(16).padStart(6, '0')}`)
      if (!colours) throw new Error('A colour was chosen')
      const grounds = [tokens.get('paper'), tokens.get('sheet'), colours.wash].map((ground) => ground?.[theme] ?? '')
      const inks = ['ink', 'ink-2', 'ink-3', 'lantern', 'gold'].map((name) => tokens.get(name)?.[theme] ?? '')
      const pairs = [
        ...grounds.map((ground) => [colours.tea[theme], ground] as const),
        [colours.onTea[theme], colours.tea[theme]] as const,
        ...inks.map((ink) => [ink, colours.wash[theme]] as const),
      ]
      expect(pairs.filter(([ink, ground]) => contrast(ink, ground) < 4.5)).toEqual([])
    }),
    { numRuns: runs(300) },
  )
})

test('a colour that can be read stays as it was chosen, and none changes nothing', () => {
  expect(mainColours('#2f6f4f')?.tea.light).toBe('#2f6f4f')
  expect(mainColours('#7cc39d')?.tea.dark).toBe('#7cc39d')
  expect(htmlTag('en', '')).toBe('<html lang="en">')
  expect(htmlTag('zh', '#1d4ed8')).toMatch(/^<html lang="zh-CN" style="--tea:light-dark\(#1d4ed8,#\w{6}\);--on-tea:.*;--tea-wash:[^;"]*">$/)
})
