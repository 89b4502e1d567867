import { storeOf } from '#base/web/store.ts'

/** Whether the confirmed action destroys something. */
type Way = 'takes' | 'gives'
export type Question = {
  title: string
  deed: string
  way: Way
  /** In place of “Cancel”. */ stay?: string | undefined
  answer: (yes: boolean) => void
}
export type Notice = { title: string; text: string }

/** The dialog that is open now, rendered by the dialog host. */
export const question = storeOf<Question | null>(null)
export const notice = storeOf<Notice | null>(null)
/** A call was refused until the member accepts new terms. */
export const newTerms = storeOf(false)
let wasNoticed = false

/** Confirms an irreversible action, which the button names. The last parameter replaces “Cancel” where the action cancels something. */
export function confirm(title: string, deed: string, way: Way = 'takes', stay?: string): Promise<boolean> {
  answer(false)
  return new Promise((answer) => question.set({ title, deed, way, stay, answer }))
}

export function answer(yes: boolean): void {
  question.get()?.answer(yes)
  question.set(null)
}

/** The site's own notice, such as why it is closed: shown once, however many calls meet it. */
export function noticeOnce(title: string, text: string): void {
  if (wasNoticed) return
  wasNoticed = true
  notice.set({ title, text })
}
