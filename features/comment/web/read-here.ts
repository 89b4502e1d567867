import type { ReadingView } from '#topic/contract.ts'

/** How far one has read on this page, by topic: the server hears of it a little later. */
export const readHere = new Map<string, number>()

export function freshNow(told: ReadingView): ReadingView {
  const here = readHere.get(told.topicId)
  if (here === undefined) return told
  // Who was here since has met what was new then.
  return { ...told, readTo: Math.max(here, told.readTo), fresh: here > told.readTo ? 0 : told.fresh, isUnread: false }
}
