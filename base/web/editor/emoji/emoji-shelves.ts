import type { EmojiData } from 'frimousse'
import { found, type Sign } from '#base/web/editor/emoji/emoji-data.ts'
import { columns, frequent } from '#base/web/editor/emoji/emoji-memory.ts'
import type { Say } from '#base/web/words.tsx'

const groups = ['smileys', 'people', 'parts', 'animals', 'food', 'travel', 'activities', 'objects', 'symbols', 'flags'] as const
const used = -1

/** All emoji in the picker's format, the most used first. */
export function shelvesOf(signs: readonly Sign[], words: Say): EmojiData {
  const names = groups.map((name, index) => ({ index, label: name === 'parts' ? '' : words(`${name}Emoji`) }))
  return dataOf(
    [...asIn(used, frequent(signs)), ...signs.flatMap((sign) => asIn(sign.group, [sign]))],
    [{ index: used, label: words('emojiFrequent') }, ...names],
  )
}

/** Search results in the picker's format. */
export function resultsOf(search: string, signs: readonly Sign[], others: readonly Sign[], words: Say): EmojiData {
  const results = found(search, signs, others)
  // The picker also filters by name; the tag makes all results match.
  const kept = asIn(0, results).map((sign) => ({ ...sign, tags: [search] }))
  return dataOf(kept, [{ index: 0, label: words('emojiFound', { count: results.length }) }])
}

export type Shelf = { index: number; label: string; sign: string; firstRow: number }

const signOf: Record<number, string> = { [used]: '🕘', 0: '😀', 1: '👋', 3: '🐻', 4: '🍵', 5: '🚗', 6: '⚽', 7: '💡', 8: '❤️', 9: '🚩' }

/** The groups in order, with the row in which each begins. */
export function groupsOf({ categories, emojis }: EmojiData): Shelf[] {
  const counts = new Map<number, number>()
  for (const { category } of emojis) counts.set(category, (counts.get(category) ?? 0) + 1)
  let firstRow = 0
  return categories.flatMap(({ index, label }) => {
    const count = counts.get(index) ?? 0
    const shelf = { index, label, sign: signOf[index] ?? label, firstRow }
    firstRow += Math.ceil(count / columns)
    return count > 0 ? [shelf] : []
  })
}

function dataOf(emojis: EmojiData['emojis'], categories: EmojiData['categories']): EmojiData {
  return { locale: '', emojis, categories, skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' } }
}

function asIn(category: number, signs: readonly Sign[]): EmojiData['emojis'] {
  return signs.map(({ emoji, label, tags, skins }) => ({ emoji, label, tags, skins, category, version: 0 }))
}

export function hexcodeOf(emoji: string, signs: readonly Sign[]): string {
  return signs.find((sign) => sign.emoji === emoji || Object.values(sign.skins ?? {}).includes(emoji))?.hexcode ?? ''
}
