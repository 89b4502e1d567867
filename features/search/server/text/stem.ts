import { baseOf } from '#search/server/text/irregular.ts'

const known = new Map<string, string>()
const mostKnown = 50_000

/** What all forms of an English word have in common; anything else stays as it is. Takes small letters. */
export function stemOf(word: string): string {
  const before = known.get(word)
  if (before !== undefined) return before
  const stem = porterStem(baseOf(word))
  if (known.size < mostKnown) known.set(word, stem)
  return stem
}

/** The stem by the rules of Martin Porter's second algorithm alone. */
export function porterStem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmed(word) : word
}

const special: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
])
const fixed = /^(?:sky|news|howe|atlas|cosmos|bias|andes)$/
const fixedOncePlural = /^(?:inning|outing|canning|herring|earring|proceed|exceed|succeed)$/

function stemmed(word: string): string {
  const known = special.get(word)
  if (known !== undefined) return known
  if (fixed.test(word)) return word
  // A y that is no vowel is written Y on the way.
  const marked = word.replace(/^y/, 'Y').replaceAll(/([aeiouy])y/g, '$1Y')
  const regions = regionsOf(marked)
  const singular = withoutPlural(marked)
  if (fixedOncePlural.test(singular)) return singular
  const root = withY(withoutPast(singular, regions))
  return tidied(
    withoutFourth(replaced(replaced(root, regions.first, second), regions.first, third, regions.second), regions.second),
    regions,
  ).toLowerCase()
}

type Regions = { first: number; second: number }

// Where the first region begins in these, whatever the rule says.
const knownStart = /^(?:gener|commun|arsen)/

function regionsOf(word: string): Regions {
  const start = knownStart.exec(word)
  const first = start ? start[0].length : afterVowelAndOther(word, 0)
  return { first, second: afterVowelAndOther(word, first) }
}

function afterVowelAndOther(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from))
  return found ? from + found.index + 2 : word.length
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:us|ss)$/.test(word)) return word
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word
}

function withoutPast(word: string, { first }: Regions): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed) return eed.index >= first ? word.slice(0, eed.index + 2) : word
  const found = /^(.*[aeiouy].*?)(?:ed|edly|ing|ingly)$/.exec(word)
  const root = found?.[1]
  if (root === undefined) return word
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(root)) return /^[aeo]..$/.test(root) ? root : root.slice(0, -1)
  return first >= root.length && endsShort(root) ? `${root}e` : root
}

function endsShort(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word)
}

function withY(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word
}

type Endings = readonly (readonly [ending: string, by: string, needs?: RegExp | 'second'])[]

const second: Endings = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og', /logi$/],
  ['li', '', /[cdeghkmnrt]li$/],
]

const third: Endings = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', '', 'second'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

/** Puts the longest ending that fits in its other form, if it lies in the region. */
function replaced(word: string, region: number, endings: Endings, secondRegion = 0): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (!found) return word
  const [ending, by, needs] = found
  const at = word.length - ending.length
  if (at < region) return word
  if (needs === 'second' ? at < secondRegion : needs && !needs.test(word)) return word
  return word.slice(0, at) + by
}

const fourth = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/

function withoutFourth(word: string, region: number): string {
  const found = fourth.exec(word)
  if (!found || found.index < region) return word
  if (found[0] === 'ion' && !/[st]ion$/.test(word)) return word
  return word.slice(0, found.index)
}

function tidied(word: string, { first, second: further }: Regions): string {
  const at = word.length - 1
  if (word.endsWith('e')) return at >= further || (at >= first && !endsShort(word.slice(0, -1))) ? word.slice(0, -1) : word
  return word.endsWith('ll') && at >= further ? word.slice(0, -1) : word
}
