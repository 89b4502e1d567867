import { hideRanges, type HideRange, type HideTimes } from '#importer/server/body/discuz-hides.ts'
import { outside, rangesOf, regionMarks, withoutPasswords, type RegionMark, type TextRange } from '#importer/server/body/discuz-marks.ts'
import { nobodyLock, passwordLock, priceLock, type PartLock } from '#importer/server/body/hidden-lock.ts'

/** A text and who reads it: everybody without a lock. */
export type Region = { lock: PartLock | null; parts: RegionPart[] }
export type RegionPart = { type: 'text' | 'code'; text: string } | { type: 'region'; region: Region }

export type RegionRules = HideTimes & { hasTags: boolean; price: number; isMasked: boolean }

/**
 * The message divided by who reads it, decided on the text alone, so that no other tag and no HTML can move a border. At most one lock is
 * around a text: a mask or a password hides all, a price all but what is free, with what they hide in turn.
 */
export function regionsOf(message: string, rules: RegionRules, notes: Set<string>): Region {
  const { text, password } = withoutPasswords(message)
  const marks = rules.hasTags ? regionMarks(text) : []
  const codes = rangesOf(marks, 'code')
  const others = outside(marks, codes)
  const hides = hideRanges(others, rules, notes)
  const codeCuts = codes.map(({ begin, end, from, to }): Cut => ({ type: 'code', from, to, text: text.slice(begin.to, end.from) }))
  if (rules.isMasked) return divided(text, nobodyLock, [...codeCuts, ...hides.flatMap(dropped)])
  if (password !== null) {
    if (rules.price > 0 || hides.some(({ lock }) => lock)) notes.add('lock within a lock')
    return divided(text, passwordLock(password, notes), [...codeCuts, ...hides.flatMap(dropped)])
  }
  if (rules.price === 0) return divided(text, null, [...codeCuts, ...hides.flatMap(opened)])
  const frees = freeRanges(others, hides)
  const { inside, beside } = parted(hides, frees)
  if (beside.some(({ lock }) => lock)) notes.add('lock within a lock')
  const cuts = [...codeCuts, ...frees.flatMap(freed), ...inside.flatMap(opened), ...beside.flatMap(dropped)]
  return divided(text, priceLock(rules.price), cuts)
}

type Cut = TextRange & ({ type: 'code'; text: string } | { type: 'begin'; lock: PartLock | null } | { type: 'end' | 'drop' })
type FreeRange = TextRange & { begin: TextRange; end: TextRange }

/** Free text of a paid thread. A border within hidden text frees nothing of it. */
function freeRanges(marks: readonly RegionMark[], hides: readonly HideRange[]): FreeRange[] {
  const locked = hides.filter(({ lock }) => lock)
  let at = 0
  const hideAt = (place: number) => {
    while ((locked[at]?.to ?? Infinity) <= place) at++
    const hide = locked[at]
    return hide && hide.from <= place ? hide : null
  }
  return rangesOf(marks, 'free').flatMap(({ begin, end }) => {
    if (hideAt(begin.from)) return []
    const hide = hideAt(end.from)
    return hide
      ? [{ begin, end: { from: hide.from, to: hide.from }, from: begin.from, to: hide.from }]
      : [{ begin, end, from: begin.from, to: end.to }]
  })
}

/** Those within one of the others, and the rest. Both are in order. */
function parted(hides: readonly HideRange[], frees: readonly FreeRange[]): { inside: HideRange[]; beside: HideRange[] } {
  const parts: { inside: HideRange[]; beside: HideRange[] } = { inside: [], beside: [] }
  let at = 0
  for (const hide of hides) {
    while ((frees[at]?.to ?? Infinity) <= hide.from) at++
    const free = frees[at]
    if (free && free.from <= hide.from && hide.to <= free.to) parts.inside.push(hide)
    else parts.beside.push(hide)
  }
  return parts
}

function dropped({ marks }: HideRange): Cut[] {
  return marks.map(({ from, to }) => ({ type: 'drop', from, to }))
}

function opened(hide: HideRange): Cut[] {
  const { lock, marks } = hide
  if (lock === null) return dropped(hide)
  return marks.map(({ from, to }, at) => {
    if (at === 0) return { type: 'begin', lock, from, to }
    return { type: at === marks.length - 1 ? 'end' : 'drop', from, to }
  })
}

function freed({ begin, end }: FreeRange): Cut[] {
  return [
    { type: 'begin', lock: null, from: begin.from, to: begin.to },
    { type: 'end', from: end.from, to: end.to },
  ]
}

function divided(text: string, lock: PartLock | null, cuts: Cut[]): Region {
  const root: Region = { lock, parts: [] }
  const open = [root]
  let at = 0
  const addText = (to: number) => {
    if (to > at) (open.at(-1) ?? root).parts.push({ type: 'text', text: text.slice(at, to) })
  }
  for (const cut of cuts.sort((one, other) => one.from - other.from)) {
    addText(cut.from)
    at = cut.to
    const { parts } = open.at(-1) ?? root
    if (cut.type === 'code') parts.push({ type: 'code', text: cut.text })
    else if (cut.type === 'end') open.pop()
    else if (cut.type === 'begin') {
      const region: Region = { lock: cut.lock, parts: [] }
      parts.push({ type: 'region', region })
      open.push(region)
    }
  }
  addText(text.length)
  return root
}
