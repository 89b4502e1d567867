import type { Sign, Tone } from '#base/web/editor/emoji/emoji-data.ts'

const tonePlace = 'emojiSkinTone'
const usedPlace = 'emojiUsed'
/** One to six, as stored. */
export const skinTones = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const satisfies readonly ('none' | Tone)[]
export type SkinTone = (typeof skinTones)[number]

export function rememberedTone(): SkinTone {
  return skinTones[Number(kept(tonePlace)) - 1] ?? 'none'
}

export function rememberTone(tone: SkinTone): void {
  keep(tonePlace, String(skinTones.indexOf(tone) + 1))
}

const rows = 4
export const columns = 9
const longest = 200
const atFirst = ['1F44D', '1F602', '2764', '1F389', '1F64F', '1F60A', '1F914', '1F375', '1F440']

/** The emoji this device uses most, the most recent first among equals: four rows at most. */
export function frequent(signs: readonly Sign[]): Sign[] {
  const known = new Map(signs.map((sign) => [sign.hexcode, sign]))
  const mine = used().toSorted(([, one], [, other]) => other - one)
  const wanted = [...new Set([...mine.map(([hexcode]) => hexcode), ...atFirst])]
  return wanted.flatMap((hexcode) => known.get(hexcode) ?? []).slice(0, mine.length > columns ? rows * columns : columns)
}

export function noteUse(hexcode: string): void {
  const before = used()
  const count = before.find(([one]) => one === hexcode)?.[1] ?? 0
  const next = [[hexcode, count + 1], ...before.filter(([one]) => one !== hexcode)].slice(0, longest)
  keep(usedPlace, JSON.stringify(next))
}

function used(): [string, number][] {
  try {
    const list: unknown = JSON.parse(kept(usedPlace) ?? '[]')
    return Array.isArray(list) ? list.filter(isUse) : []
  } catch {
    return []
  }
}

function isUse(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}

function kept(place: string): string | null {
  try {
    return localStorage.getItem(place)
  } catch {
    return null
  }
}

// Without storage the picker starts afresh each time.
function keep(place: string, value: string): void {
  try {
    localStorage.setItem(place, value)
  } catch {
    console.info('This device keeps no emoji')
  }
}
