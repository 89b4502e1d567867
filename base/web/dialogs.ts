import { createStore } from '#base/web/store.ts'

/** Whether the confirmed action destroys something. */
type ConfirmTone = 'takes' | 'gives'
export type ConfirmRequest = {
  title: string
  action: string
  tone: ConfirmTone
  /** In place of “Cancel”. */ cancelLabel?: string | undefined
  answer: (yes: boolean) => void
}
export type SiteNotice = { title: string; text: string }

/** The dialog that is open now, rendered by the dialog host. */
export const confirmRequest = createStore<ConfirmRequest | null>(null)
export const siteNotice = createStore<SiteNotice | null>(null)
/** A call was refused until the member accepts new terms. */
export const termsChanged = createStore(false)
let wasNoticeShown = false

/** Confirms an irreversible action, which the button names. The last parameter replaces “Cancel” where the action cancels something. */
export function confirm(title: string, action: string, way: ConfirmTone = 'takes', stay?: string): Promise<boolean> {
  answerConfirm(false)
  return new Promise((answer) => confirmRequest.set({ title, action, tone: way, cancelLabel: stay, answer }))
}

export function answerConfirm(yes: boolean): void {
  confirmRequest.get()?.answer(yes)
  confirmRequest.set(null)
}

/** The site's own notice, such as why it is closed: shown once, however many calls meet it. */
export function showNoticeOnce(title: string, text: string): void {
  if (wasNoticeShown) return
  wasNoticeShown = true
  siteNotice.set({ title, text })
}
