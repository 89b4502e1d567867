import { createStore } from '#base/web/store.ts'

/** The callback of the pending re-authentication. */
export const pendingProof = createStore<((isShown: boolean) => void) | null>(null)
let dialogResult: Promise<boolean> | null = null

/** Opens one dialog for all requests that wait. False when the person cancels. */
export function requestProof(): Promise<boolean> {
  dialogResult ??= new Promise<boolean>((answer) => pendingProof.set(answer)).finally(() => {
    dialogResult = null
  })
  return dialogResult
}

export function finishProof(isShown: boolean): void {
  const waiting = pendingProof.get()
  pendingProof.set(null)
  waiting?.(isShown)
}
