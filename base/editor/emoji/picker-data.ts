import type { EmojiData } from 'frimousse'
import { searchEmoji, type EmojiEntry } from '#base/editor/emoji/emoji-data.ts'
import { columns, frequent } from '#base/editor/emoji/emoji-memory.ts'
import type { Translate } from '#base/web/words.tsx'

const groups = ['smileys', 'people', 'parts', 'animals', 'food', 'travel', 'activities', 'objects', 'symbols', 'flags'] as const
const used = -1

/** All emoji in the picker's format, the most used first. */
export function pickerData(entries: readonly EmojiEntry[], words: Translate): EmojiData {
  const names = groups.map((name, index) => ({ index, label: name === 'parts' ? '' : words(`${name}Emoji`) }))
  return dataOf(
    [...inCategory(used, frequent(entries)), ...entries.flatMap((sign) => inCategory(sign.group, [sign]))],
    [{ index: used, label: words('emojiFrequent') }, ...names],
  )
}

/** Search results in the picker's format. */
export function searchResults(search: string, entries: readonly EmojiEntry[], others: readonly EmojiEntry[], words: Translate): EmojiData {
  const results = searchEmoji(search, entries, others)
  // The picker also filters by name; the tag makes all results match.
  const matches = inCategory(0, results).map((sign) => ({ ...sign, tags: [search] }))
  return dataOf(matches, [{ index: 0, label: words('emojiFound', { count: results.length }) }])
}

export type EmojiGroup = { index: number; label: string; sign: string; firstRow: number }

const groupIcons: Record<number, string> = { [used]: '🕘', 0: '😀', 1: '👋', 3: '🐻', 4: '🍵', 5: '🚗', 6: '⚽', 7: '💡', 8: '❤️', 9: '🚩' }

/** The groups in order, with the row in which each begins. */
export function groupsOf({ categories, emojis }: EmojiData): EmojiGroup[] {
  const counts = new Map<number, number>()
  for (const { category } of emojis) counts.set(category, (counts.get(category) ?? 0) + 1)
  let firstRow = 0
  return categories.flatMap(({ index, label }) => {
    const count = counts.get(index) ?? 0
    const shelf = { index, label, sign: groupIcons[index] ?? label, firstRow }
    firstRow += Math.ceil(count / columns)
    return count > 0 ? [shelf] : []
  })
}

function dataOf(emojis: EmojiData['emojis'], categories: EmojiData['categories']): EmojiData {
  return { locale: '', emojis, categories, skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' } }
}

function inCategory(category: number, entries: readonly EmojiEntry[]): EmojiData['emojis'] {
  return entries.map(({ emoji, label, tags, skins }) => ({ emoji, label, tags, skins, category, version: 0 }))
}

export function hexcodeOf(emoji: string, entries: readonly EmojiEntry[]): string {
  return entries.find((sign) => sign.emoji === emoji || Object.values(sign.skins ?? {}).includes(emoji))?.hexcode ?? ''
}
