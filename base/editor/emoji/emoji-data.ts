export type Language = 'zh' | 'en'
export type Tone = 'light' | 'medium-light' | 'medium' | 'medium-dark' | 'dark'
/** An emoji with its name and search terms in one language. */
export type EmojiEntry = {
  emoji: string
  group: number
  label: string
  tags: string[]
  hexcode: string
  skins: Record<Tone, string> | undefined
}

const tones: readonly Tone[] = ['light', 'medium-light', 'medium', 'medium-dark', 'dark']
// The emoji version that devices of recent years can draw; newer emoji would be empty boxes for many readers.
const maxVersion = 15
const parts = 2
const loading = new Map<Language, Promise<EmojiEntry[]>>()

/** Loads the emoji from the site's own origin on first use. */
export function loadEmoji(language: Language): Promise<EmojiEntry[]> {
  const known = loading.get(language) ?? fetchEmoji(language)
  loading.set(language, known)
  known.catch(() => loading.delete(language))
  return known
}

async function fetchEmoji(language: Language): Promise<EmojiEntry[]> {
  const { default: all } = await (language === 'zh' ? import('emojibase-data/zh/data.json') : import('emojibase-data/en/data.json'))
  return all.flatMap((emoji) => toEntry(emoji) ?? [])
}

type RawEntry = {
  emoji: string
  label: string
  hexcode: string
  version: number
  group?: number | undefined
  tags?: string[] | undefined
  skins?: { emoji: string; tone: number | number[] }[] | undefined
}

// Entries without a group, and mere components, cannot be chosen.
function toEntry({ emoji, group, label, tags = [], hexcode, version, skins }: RawEntry): EmojiEntry | null {
  if (group === undefined || group === parts || version > maxVersion) return null
  const toned = tones.map((tone, at) => [tone, skins?.find((skin) => skin.tone === at + 1)?.emoji] as const)
  const hasTones = toned.every(([, skin]) => skin !== undefined)
  return { emoji, group, label, tags, hexcode, skins: hasTones ? (Object.fromEntries(toned) as Record<Tone, string>) : undefined }
}

const maxResults = 90

/** At most ninety matches, best names first, by the terms of either language. */
export function searchEmoji(search: string, entries: readonly EmojiEntry[], others: readonly EmojiEntry[]): EmojiEntry[] {
  const term = bare(search.trim().toLowerCase())
  const elsewhere = new Map(others.map((sign) => [sign.hexcode, sign]))
  return entries
    .map((sign) => ({ sign, fit: Math.max(rank(sign, term), rank(elsewhere.get(sign.hexcode), term)) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((one, other) => other.fit - one.fit)
    .slice(0, maxResults)
    .map(({ sign }) => sign)
}

/** Without tones of skin, and without the selectors that no reader sees: a pasted emoji has them or not, as its program likes. */
function bare(text: string): string {
  return text.replaceAll(/(?<=.)(?:\ufe0e|\ufe0f|\p{Emoji_Modifier})/gu, '')
}

function rank(sign: EmojiEntry | undefined, term: string): number {
  if (!sign) return 0
  const label = sign.label.toLowerCase()
  const tags = sign.tags.map((tag) => tag.toLowerCase())
  const byName = label === term || bare(sign.emoji) === term ? 8 : label.startsWith(term) ? 3 : label.includes(term) ? 2 : 0
  return byName + (tags.includes(term) ? 4 : tags.some((tag) => tag.includes(term)) ? 1 : 0)
}
