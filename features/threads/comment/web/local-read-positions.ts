import type { ReadingView } from '#topic/contract.ts'

/** The read positions in this tab by topic; the server receives them with a delay. */
export const localReadPositions = new Map<string, number>()

export function withLocalPosition(state: ReadingView): ReadingView {
  const localFloor = localReadPositions.get(state.topicId)
  if (localFloor === undefined) return state
  // After a visit in this tab, the comments that were new before are read.
  return { ...state, readTo: Math.max(localFloor, state.readTo), fresh: localFloor > state.readTo ? 0 : state.fresh, isUnread: false }
}
