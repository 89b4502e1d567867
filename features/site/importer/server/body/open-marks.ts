import type { Link, Mark } from '#base/rich-text/document.ts'

/** The marks that are open at a place. They begin and end in any order: each end is that of the last begin of its kind. */
export type OpenMarks = {
  /** A link whose address is not safe has none, and its text that of the link around. */
  links: (Link | null)[]
  counts: Record<SimpleMark, number>
  /** The marks of a text here, until one begins or ends. */
  here: readonly Mark[] | null
}
type SimpleMark = (typeof simpleMarks)[number]

const simpleMarks = ['bold', 'italic', 'strike', 'code'] as const

export function openMarks(around: readonly Mark[] = []): OpenMarks {
  const marks: OpenMarks = { links: [], counts: { bold: 0, italic: 0, strike: 0, code: 0 }, here: null }
  for (const mark of around) beginMark(marks, mark)
  return marks
}

export function beginMark(marks: OpenMarks, mark: Mark | null): void {
  marks.here = null
  if (mark === null || mark.type === 'link') marks.links.push(mark ?? marks.links.at(-1) ?? null)
  else marks.counts[mark.type]++
}

export function endMark(marks: OpenMarks, type: Mark['type']): void {
  marks.here = null
  if (type === 'link') marks.links.pop()
  else marks.counts[type] = Math.max(marks.counts[type] - 1, 0)
}

export function marksHere(marks: OpenMarks): readonly Mark[] {
  const link = marks.links.at(-1)
  marks.here ??= [...(link ? [link] : []), ...simpleMarks.filter((type) => marks.counts[type] > 0).map((type) => ({ type }))]
  return marks.here
}

/** How many of each are open, to end those that begin later. */
export type MarkDepths = { links: number; counts: Record<SimpleMark, number> }

export function markDepths(marks: OpenMarks): MarkDepths {
  return { links: marks.links.length, counts: { ...marks.counts } }
}

export function endMarksTo(marks: OpenMarks, depths: MarkDepths): void {
  marks.here = null
  marks.links.length = Math.min(marks.links.length, depths.links)
  for (const type of simpleMarks) marks.counts[type] = Math.min(marks.counts[type], depths.counts[type])
}
