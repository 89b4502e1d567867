export type Language = 'zh' | 'en'
export type Tone = 'light' | 'medium-light' | 'medium' | 'medium-dark' | 'dark'
/** An emoji with its name and search terms in one language. */
export type Sign = {
  emoji: string
  group: number
  label: string
  tags: string[]
  hexcode: string
  skins: Record<Tone, string> | undefined
}

const tones: readonly Tone[] = ['light', 'medium-light', 'medium', 'medium-dark', 'dark']
// The emoji version that devices of recent years can draw; newer emoji would be empty boxes for many readers.
const newest = 15
const parts = 2
const brought = new Map<Language, Promise<Sign[]>>()

/** Loads the emoji from the site's own origin on first use. */
export function signsIn(language: Language): Promise<Sign[]> {
  const known = brought.get(language) ?? bring(language)
  brought.set(language, known)
  known.catch(() => brought.delete(language))
  return known
}

async function bring(language: Language): Promise<Sign[]> {
  const { default: all } = await (language === 'zh' ? import('emojibase-data/zh/data.json') : import('emojibase-data/en/data.json'))
  return all.flatMap((emoji) => signOf(emoji) ?? [])
}

type Entry = {
  emoji: string
  label: string
  hexcode: string
  version: number
  group?: number | undefined
  tags?: string[] | undefined
  skins?: { emoji: string; tone: number | number[] }[] | undefined
}

// Entries without a group, and mere components, cannot be chosen.
function signOf({ emoji, group, label, tags = [], hexcode, version, skins }: Entry): Sign | null {
  if (group === undefined || group === parts || version > newest) return null
  const toned = tones.map((tone, at) => [tone, skins?.find((skin) => skin.tone === at + 1)?.emoji] as const)
  const hasTones = toned.every(([, skin]) => skin !== undefined)
  return { emoji, group, label, tags, hexcode, skins: hasTones ? (Object.fromEntries(toned) as Record<Tone, string>) : undefined }
}

const mostFound = 90

/** At most ninety matches, best names first, by the terms of either language. */
export function found(search: string, signs: readonly Sign[], others: readonly Sign[]): Sign[] {
  const sought = search.trim().toLowerCase()
  const elsewhere = new Map(others.map((sign) => [sign.hexcode, sign]))
  return signs
    .map((sign) => ({ sign, fit: Math.max(fitOf(sign, sought), fitOf(elsewhere.get(sign.hexcode), sought)) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((one, other) => other.fit - one.fit)
    .slice(0, mostFound)
    .map(({ sign }) => sign)
}

function fitOf(sign: Sign | undefined, sought: string): number {
  if (!sign) return 0
  const label = sign.label.toLowerCase()
  const tags = sign.tags.map((tag) => tag.toLowerCase())
  const byName = label === sought || sign.emoji === sought ? 8 : label.startsWith(sought) ? 3 : label.includes(sought) ? 2 : 0
  return byName + (tags.includes(sought) ? 4 : tags.some((tag) => tag.includes(sought)) ? 1 : 0)
}
