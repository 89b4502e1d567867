import type { RegionMark } from '#importer/server/body/discuz-marks.ts'
import { commentLock, levelLock, type PartLock } from '#importer/server/body/hidden-lock.ts'

/** Hidden text with its tags, those within included. Without a lock its days are over. */
export type HideRange = { from: number; to: number; lock: PartLock | null; marks: readonly RegionMark[] }
export type HideTimes = {
  publishedAt: Date
  now: Date
  /** After so many days all hidden text of the board is open, if it has that setting. */
  hideDays?: number | undefined
}

/**
 * Discuz! pairs a begin with the next end, whatever is between; a reader of nested tags would pair them by depth. What either hides is hidden
 * here. A begin without an end hides nothing there, and its tag is text.
 */
export function hideRanges(marks: readonly RegionMark[], times: HideTimes, notes: Set<string>): HideRange[] {
  const hides = marks.filter(({ name }) => name === 'hide')
  const pairs = pairsByDepth(hides)
  const ranges: HideRange[] = []
  let next = 0
  for (let at = 0; at < hides.length; at++) {
    next = Math.max(next, at)
    while (hides[next]?.isEnd === false) next++
    const [begin, last] = [hides[at], pairs.get(at) ?? next]
    const end = hides[last]
    if (!begin || begin.isEnd || !end) continue
    const within = hides.slice(at, last + 1)
    ranges.push({ from: begin.from, to: end.to, lock: lockOf(within, times, notes), marks: within })
    at = last
  }
  return ranges
}

function pairsByDepth(hides: readonly RegionMark[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  hides.forEach(({ isEnd }, at) => {
    const begin = isEnd ? open.pop() : undefined
    if (begin !== undefined) pairs.set(begin, at)
    if (!isEnd) open.push(at)
  })
  return pairs
}

/** One lock for nested tags: the highest level that one of them asks for, else a comment. */
function lockOf(marks: readonly RegionMark[], times: HideTimes, notes: Set<string>): PartLock | null {
  const locks = marks.filter(({ isEnd }) => !isEnd).flatMap(({ argument }) => lockFrom(argument, times, notes) ?? [])
  if (locks.length > 1) notes.add('lock within a lock')
  const levels = locks.filter(({ lock }) => lock === 'level').map(({ value }) => Number(value))
  if (levels.length > 0) return levelLock(String(levels.reduce((highest, level) => Math.max(highest, level))))
  return locks.length > 0 ? commentLock : null
}

function lockFrom(argument: string, { publishedAt, now, hideDays = 0 }: HideTimes, notes: Set<string>): PartLock | null {
  const known = /^=?(?:d(\d+))?,?(\d+)?$/i.exec(argument)
  const [, days, points] = known ?? []
  const age = (now.getTime() - publishedAt.getTime()) / millisecondsPerDay
  if ([Number(days ?? 0), hideDays].some((limit) => limit > 0 && age > limit)) return null
  if (!known) notes.add('hide: unknown condition')
  const asksForPoints = points !== undefined && (Number(points) > 0 || days === undefined)
  return asksForPoints ? levelLock(points) : commentLock
}

const millisecondsPerDay = 86_400_000
