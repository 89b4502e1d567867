import { TooLateToUndo, undoDays } from '#batch/contract.ts'
import { ErasedSince, TakenBackAlready } from '#report/contract.ts'

/** The time of a decision, and the title of the post: purging clears the title. */
type Decided = { at: Date | null; title: string }

/** Whether a decision can still be reversed. */
export function canGoBack({ at, title }: Decided): boolean {
  return at !== null && title !== '' && isYoung(at)
}

export function refuseUnlessDecided({ at, title }: Decided): void {
  if (at === null) throw TakenBackAlready()
  if (title === '') throw ErasedSince()
  if (!isYoung(at)) throw TooLateToUndo()
}

function isYoung(at: Date): boolean {
  return Date.now() - at.getTime() < undoDays * 86_400_000
}
