import type { ReadingView } from '#topic/contract.ts'

/** The read positions in this tab by topic; the server receives them with a delay. */
export const readHere = new Map<string, number>()

export function freshNow(told: ReadingView): ReadingView {
  const here = readHere.get(told.topicId)
  if (here === undefined) return told
  // After a visit in this tab, the comments that were new before are read.
  return { ...told, readTo: Math.max(here, told.readTo), fresh: here > told.readTo ? 0 : told.fresh, isUnread: false }
}
