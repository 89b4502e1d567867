import { storeOf } from '#base/web/store.ts'

/** Whether what one agrees to takes something away. */
type Way = 'takes' | 'gives'
export type Question = {
  title: string
  deed: string
  way: Way
  /** In place of “Cancel”. */ stay?: string | undefined
  answer: (yes: boolean) => void
}
export type Notice = { title: string; text: string }

/** What is asked and told in a dialog now; `Asked` shows it. */
export const question = storeOf<Question | null>(null)
export const notice = storeOf<Notice | null>(null)
/** Something was refused until one agrees to new terms. */
export const newTerms = storeOf(false)
let wasNoticed = false

/** Asks once before a deed that cannot be taken back; the button says the deed. One that cancels something has another word for leaving it. */
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
