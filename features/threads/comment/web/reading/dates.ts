export type FloorTime = { floor: number; at: string }

/** The approximate time of a floor, interpolated between its two nearest marks. */
export function dateAt(marks: readonly FloorTime[], floor: number): Date | null {
  const after = marks.find((mark) => mark.floor >= floor) ?? marks.at(-1)
  const before = marks.findLast((mark) => mark.floor <= floor) ?? marks[0]
  if (!before || !after) return null
  const [from, to] = [Date.parse(before.at), Date.parse(after.at)]
  const part = after.floor === before.floor ? 0 : (floor - before.floor) / (after.floor - before.floor)
  return new Date(from + (to - from) * part)
}
