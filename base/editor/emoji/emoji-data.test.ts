import { describe, expect, test } from 'vitest'
import { searchEmoji, loadEmoji } from '#base/editor/emoji/emoji-data.ts'

const [zh, en] = await Promise.all([loadEmoji('zh'), loadEmoji('en')])
const emojis = (search: string) => searchEmoji(search, zh, en).map(({ emoji }) => emoji)

describe('emoji', () => {
  test.each([
    ['茶', '🍵'],
    ['tea', '🍵'],
    ['CAT', '🐈️'],
    ['猫', '🐈️'],
    ['thumbs up', '👍️'],
    ['拇指', '👍️'],
    [' 🎉 ', '🎉'],
    ['👍', '👍️'],
    ['👍🏽', '👍️'],
    ['☕', '☕️'],
    ['☕\ufe0e', '☕️'],
    ['❤️', '❤️'],
  ])('%j finds %s', (search, emoji) => expect(emojis(search).slice(0, 12)).toContain(emoji))

  test('an emoji is found by itself, with and without its selector, in any tone', () => {
    const all = zh.flatMap(({ emoji, skins }) =>
      [emoji, emoji.replaceAll('\ufe0f', ''), ...Object.values(skins ?? {})].map((one) => [one, emoji]),
    )
    const pasted = all.filter((_, index) => index % 13 === 0)
    expect(pasted.length).toBeGreaterThan(300)
    for (const [one = '', emoji = ''] of pasted) expect(emojis(one)[0], one).toBe(emoji)
  })

  test('ninety are found at most', () => {
    expect(emojis('a')).toHaveLength(90)
    expect(emojis('nothing of this name')).toEqual([])
  })

  test('have either all five tones or none, and none is only a part of others', () => {
    expect(en.find(({ label }) => label === 'thumbs up')?.skins).toMatchObject({ light: '👍🏻', dark: '👍🏿' })
    expect(en.find(({ label }) => label === 'grinning face')?.skins).toBeUndefined()
    expect(en.filter(({ group }) => group === 2)).toEqual([])
    expect(zh.map(({ hexcode }) => hexcode)).toEqual(en.map(({ hexcode }) => hexcode))
  })
})
