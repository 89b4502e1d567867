import { TooLateToUndo, undoDays } from '#batch/contract.ts'
import { ErasedSince, TakenBackAlready } from '#report/contract.ts'

/** The time of a decision, and the title of the post: purging clears the title. */
type DecisionInfo = { at: Date | null; title: string }

/** Whether a decision can still be reversed. */
export function canTakeBack({ at, title }: DecisionInfo): boolean {
  return at !== null && title !== '' && isRecent(at)
}

export function refuseUnlessRecent({ at, title }: DecisionInfo): void {
  if (at === null) throw TakenBackAlready()
  if (title === '') throw ErasedSince()
  if (!isRecent(at)) throw TooLateToUndo()
}

function isRecent(at: Date): boolean {
  return Date.now() - at.getTime() < undoDays * 86_400_000
}
