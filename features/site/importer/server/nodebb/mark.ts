import type { Range } from '#importer/server/source.ts'
import { id, number, type Fields, type Scored } from '#importer/server/nodebb/store.ts'

/** The highest id of a kind and the time, at one moment. Ids of other servers are addresses, which only their times set in order. */
type Mark = { id: number; at: number }

/** `field` is a counter in the key `global`, which holds the last id that was given. */
export function markOf(global: Fields, field: string, now: Date): string {
  return `${number(global[field])}@${now.getTime()}`
}

/** Whether a range has this member, whose score is its time; by the time alone for members of another kind than the mark's. */
export function isIn({ since, upto }: Range, by: 'id' | 'time' = 'id'): (member: Scored) => boolean {
  const [first, last] = [parse(since), parse(upto)]
  const isAfter = by === 'id' ? isLater : isLaterByTime
  return (member) => (first === null || isAfter(member, first)) && (last === null || !isAfter(member, last))
}

function parse(mark: string | null): Mark | null {
  if (!mark) return null
  const [last, at] = mark.split('@')
  return { id: Number(last), at: Number(at) }
}

function isLater(member: Scored, mark: Mark): boolean {
  return id(member[0]) === null ? isLaterByTime(member, mark) : Number(member[0]) > mark.id
}

function isLaterByTime([, score]: Scored, { at }: Mark): boolean {
  return Number(score) > at
}
