import type { EmojiEntry, Tone } from '#base/editor/emoji/emoji-data.ts'

const toneKey = 'emojiSkinTone'
const usedKey = 'emojiUsed'
/** One to six, as stored. */
export const skinTones = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const satisfies readonly ('none' | Tone)[]
export type SkinTone = (typeof skinTones)[number]

export function storedTone(): SkinTone {
  return skinTones[Number(readStored(toneKey)) - 1] ?? 'none'
}

export function storeTone(tone: SkinTone): void {
  writeStored(toneKey, String(skinTones.indexOf(tone) + 1))
}

const rows = 4
export const columns = 9
const maxUses = 200
const initialEmoji = ['1F44D', '1F602', '2764', '1F389', '1F64F', '1F60A', '1F914', '1F375', '1F440']

/** The emoji this device uses most, the most recent first among equals: four rows at most. */
export function frequent(entries: readonly EmojiEntry[]): EmojiEntry[] {
  const known = new Map(entries.map((sign) => [sign.hexcode, sign]))
  const mine = storedUses().toSorted(([, one], [, other]) => other - one)
  const hexcodes = [...new Set([...mine.map(([hexcode]) => hexcode), ...initialEmoji])]
  return hexcodes.flatMap((hexcode) => known.get(hexcode) ?? []).slice(0, mine.length > columns ? rows * columns : columns)
}

export function countUse(hexcode: string): void {
  const before = storedUses()
  const count = before.find(([one]) => one === hexcode)?.[1] ?? 0
  const next = [[hexcode, count + 1], ...before.filter(([one]) => one !== hexcode)].slice(0, maxUses)
  writeStored(usedKey, JSON.stringify(next))
}

function storedUses(): [string, number][] {
  try {
    const list: unknown = JSON.parse(readStored(usedKey) ?? '[]')
    return Array.isArray(list) ? list.filter(isUse) : []
  } catch {
    return []
  }
}

function isUse(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}

function readStored(place: string): string | null {
  try {
    return localStorage.getItem(place)
  } catch {
    return null
  }
}

// Without storage the picker starts afresh each time.
function writeStored(place: string, value: string): void {
  try {
    localStorage.setItem(place, value)
  } catch {
    console.info('This device keeps no emoji')
  }
}
