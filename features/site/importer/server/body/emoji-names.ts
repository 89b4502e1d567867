import { createRequire } from 'node:module'
import { lazy } from '#base/lazy.ts'

type Emoji = { hexcode: string; unicode: string; skins?: readonly { unicode: string }[] }
type ShortNames = Record<string, string | string[]>

const load = createRequire(import.meta.url)
const data = 'emojibase-data/en'

/** By their names in other programs. One of several sets decides where two differ. */
const byName = lazy((): ReadonlyMap<string, Emoji> => {
  const emoji = new Map((load(`${data}/compact.json`) as Emoji[]).map((one) => [one.hexcode, one]))
  const sets = ['iamcal', 'github', 'joypixels'].map((set) => load(`${data}/shortcodes/${set}.json`) as ShortNames)
  return new Map(
    sets.flatMap((names) =>
      Object.entries(names).flatMap(([hexcode, some]) => {
        const found = emoji.get(hexcode)
        return found ? [some].flat().map((name) => [name, found] as const) : []
      }),
    ),
  )
})

const pattern = /:([a-z\d_+-]{1,60}):(?:t([2-6]):)?/gi

/** The text with emoji in place of their names, such as `:smile:`, and `:wave:t3:` with a tone of skin. Unknown names stay. */
export function withEmoji(text: string): string {
  if (!text.includes(':')) return text
  return text.replaceAll(pattern, (written: string, name: string, tone: string | undefined) => {
    const found = byName().get(name.toLowerCase())
    if (!found) return written
    const toned = tone === undefined ? undefined : found.skins?.[Number(tone) - 2]?.unicode
    return toned ?? `${found.unicode}${tone === undefined || found.skins ? '' : `:t${tone}:`}`
  })
}
