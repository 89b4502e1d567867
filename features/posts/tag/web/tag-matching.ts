import { pinyinForms, type Spell } from '#base/chinese/pinyin-forms.ts'

/** A tag as an option: its name and its parent's in the page's language, and all names it matches. */
export type TagOption = { id: string; name: string; above: string; names: readonly string[] }

/**
 * The tags that match the typed text: first those that begin with it, by letters or by the sound of their characters, then those that
 * contain it or whose group matches. Without the dictionary, which comes later, no sounds match.
 */
export function matchingTags(options: readonly TagOption[], typed: string, spell: Spell | null): TagOption[] {
  const keyword = plain(typed)
  if (keyword === '') return [...options]
  const ranked = options.map((option) => ({ option, rank: rankOf(option, keyword, spell) })).filter(({ rank }) => rank < no)
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ option }) => option)
}

/** Whether the typed text may be the sound of one of these tags. */
export function mayBeSound(options: readonly TagOption[], typed: string): boolean {
  return /^[a-z]+$/.test(plain(typed)) && options.some(({ names }) => names.some((name) => /\p{Script=Han}/u.test(name)))
}

const no = 4

function rankOf({ names, above }: TagOption, keyword: string, spell: Spell | null): number {
  const all = names.map(plain)
  const sounds = spell ? names.flatMap((name) => soundsOf(name, spell)) : []
  if (all.some((name) => name.startsWith(keyword))) return 0
  if (sounds.some(({ form, isFirst }) => isFirst && form.startsWith(keyword))) return 1
  if (all.some((name) => name.includes(keyword))) return 2
  // From a character within the name, a single letter says nothing.
  if (keyword.length > 1 && sounds.some(({ form }) => form.startsWith(keyword))) return 2
  return plain(above).includes(keyword) ? 3 : no
}

type Sound = { form: string; isFirst: boolean }
const known = new Map<string, Sound[]>()

function soundsOf(name: string, spell: Spell): Sound[] {
  const before = known.get(name)
  if (before) return before
  const isFirst = /^\p{Script=Han}/u.test(name)
  const sounds = pinyinForms(name, spell).flatMap((forms, at) => forms.map((form) => ({ form, isFirst: isFirst && at === 0 })))
  known.set(name, sounds)
  return sounds
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .trim()
}
