/** A tag to choose: what it and the tag above it are called here, and all that it goes by. */
export type TagOption = { id: string; name: string; above: string; names: readonly string[] }

/** The tags that are meant by what was typed: those that begin so first, then those that have it within, or whose group is called so. */
export function fitting(options: readonly TagOption[], typed: string): TagOption[] {
  const wanted = plain(typed)
  if (wanted === '') return [...options]
  const ranked = options.map((option) => ({ option, rank: rankOf(option, wanted) })).filter(({ rank }) => rank < no)
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ option }) => option)
}

const no = 4

function rankOf({ names, above }: TagOption, wanted: string): number {
  const all = names.map(plain)
  if (all.some((name) => name.startsWith(wanted))) return 0
  if (names.some((name) => initialsOf(name).startsWith(wanted))) return 1
  if (all.some((name) => name.includes(wanted))) return 2
  return plain(above).includes(wanted) ? 3 : no
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

// The first character of each letter, as dictionaries of pinyin order them.
const firsts = [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥仨他穵夕丫帀']
const letters = 'abcdefghjklmnopqrstwxyz'
const byPinyin = new Intl.Collator('zh-Hans-u-co-pinyin')

/** The letters that one types for a Chinese name in short: pc for 泡茶. Empty where it is not all Chinese. */
export function initialsOf(name: string): string {
  const each = [...name]
  if (!each.every((one) => /\p{Script=Han}/u.test(one))) return ''
  return each.map((one) => letters[firsts.findLastIndex((first) => byPinyin.compare(first, one) <= 0)] ?? '').join('')
}
