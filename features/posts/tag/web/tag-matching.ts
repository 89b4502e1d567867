/** A tag as an option: its name and its parent's in the page's language, and all names it matches. */
export type TagOption = { id: string; name: string; above: string; names: readonly string[] }

/** The tags that match the typed text: first those that begin with it, then those that contain it or whose group matches. */
export function matchingTags(options: readonly TagOption[], typed: string): TagOption[] {
  const keyword = plain(typed)
  if (keyword === '') return [...options]
  const ranked = options.map((option) => ({ option, rank: rankOf(option, keyword) })).filter(({ rank }) => rank < no)
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ option }) => option)
}

const no = 4

function rankOf({ names, above }: TagOption, keyword: string): number {
  const all = names.map(plain)
  if (all.some((name) => name.startsWith(keyword))) return 0
  if (names.some((name) => initialsOf(name).startsWith(keyword))) return 1
  if (all.some((name) => name.includes(keyword))) return 2
  return plain(above).includes(keyword) ? 3 : no
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

// The first character for each letter in the order of pinyin.
const firsts = [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥仨他穵夕丫帀']
const letters = 'abcdefghjklmnopqrstwxyz'
const byPinyin = new Intl.Collator('zh-Hans-u-co-pinyin')

/** The pinyin initials of a Chinese name: pc for 泡茶. Empty unless all of it is Chinese. */
export function initialsOf(name: string): string {
  const each = [...name]
  if (!each.every((one) => /\p{Script=Han}/u.test(one))) return ''
  return each.map((one) => letters[firsts.findLastIndex((first) => byPinyin.compare(first, one) <= 0)] ?? '').join('')
}
