import { LRUCache } from 'lru-cache'
import { han, initialsOf, pinyinForms, waysToType } from '#base/chinese/pinyin-forms.ts'
import { spell } from '#base/server/spell.ts'
import { extraTokensOf, tokensOf } from '#search/server/text/tokens.ts'

const known = new LRUCache<string, readonly string[]>({ max: 5_000 })

// The same titles are among the hits of many queries.
function syllablesOf(run: string): readonly string[] {
  const before = known.get(run)
  if (before) return before
  const found = spell(run)
  known.set(run, found)
  return found
}

const most = 120

/** The strings by which a title can be found while typing: its words, and from each Chinese character on the pinyin and its initials. */
export function typedForms(title: string): string[] {
  const words = [...tokensOf(title), ...extraTokensOf(title)].flatMap(({ word }) => (word && word.length > 1 ? [word] : []))
  const typed = new Set([...words, ...pinyinForms(title, syllablesOf).flat()])
  return [...typed].filter((one) => one.length > 1).slice(0, most)
}

const initials = ['', 'zh', 'ch', 'sh', ...'bpmfdtnlgkhjqxrzcsyw']
const finals = 'iang iong uang ang eng ing ong iao ian uai uan ai ei ao ou an en in un ia ie iu ua ue ui uo er ve a o e i u v'.split(' ')
const syllables = new Set(initials.flatMap((initial) => finals.map((final) => initial + final)))
const longestSyllable = Math.max(...[...syllables].map(({ length }) => length))
const leastForSure = 5
const onlyInitials = /^[bcdfghjklmnpqrstwxyz]{2,8}$/

/** Whether a word is certainly pinyin, ambiguous between pinyin syllables and another word, possibly initials, or none of these. */
export function soundOf(word: string): 'pinyin' | 'syllables' | 'initials' | null {
  const count = mostSyllables(word)
  if (count >= 2 && word.length >= leastForSure) return 'pinyin'
  if (word.length > 1 && count > 0) return 'syllables'
  return onlyInitials.test(word) ? 'initials' : null
}

/** The largest number of syllables a word can be split into; 0 if it cannot. Each position is visited once. */
function mostSyllables(word: string): number {
  const most = Array.from({ length: word.length + 1 }, (_, at): number => (at === 0 ? 0 : -1))
  for (const [at, count] of most.entries()) {
    if (count < 0) continue
    for (let to = at + 1; to <= Math.min(at + longestSyllable, word.length); to++) {
      if (syllables.has(word.slice(at, to))) most[to] = Math.max(most[to] ?? -1, count + 1)
    }
  }
  return Math.max(0, most[word.length] ?? 0)
}

/** Whether consecutive characters of a title have exactly this pronunciation. */
export function hasSound(title: string, word: string): boolean {
  return soundRanges(title, word).some(({ isWhole }) => isWhole)
}

/** The ranges of a title with this pronunciation; the last syllable may be incomplete. */
export function soundRanges(title: string, word: string): { start: number; end: number; isWhole: boolean }[] {
  return [...title.matchAll(han)].flatMap(({ 0: run, index }) => {
    const characters = [...run]
    const spoken = syllablesOf(run)
    return characters.flatMap((_, from) => {
      const rest = spoken.slice(from)
      const ways = [...waysToType.map((typed) => rest.map(typed)), initialsOf(rest).split('')]
      const found = ways.map((way) => reach(way, word)).find((one) => one !== null)
      if (!found) return []
      const start = index + characters.slice(0, from).join('').length
      return [{ start, end: start + characters.slice(from, from + found.count).join('').length, isWhole: found.isWhole }]
    })
  })
}

/** The number of consecutive syllables that form a word. */
function reach(spoken: readonly string[], word: string): { count: number; isWhole: boolean } | null {
  let prefix = ''
  for (const [index, one] of spoken.entries()) {
    prefix += one
    if (prefix.startsWith(word)) return { count: index + 1, isWhole: prefix === word }
    if (!word.startsWith(prefix)) return null
  }
  return null
}
