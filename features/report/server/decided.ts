import { TooLateToUndo, undoDays } from '#batch/contract.ts'
import { ErasedSince, TakenBackAlready } from '#report/contract.ts'

/** When something was decided, and about what: a title goes with what is erased for good. */
type Decided = { at: Date | null; title: string }

/** Whether a decision may still be taken back. */
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
