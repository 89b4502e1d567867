import { storeOf } from '#base/web/store.ts'

/** The callback of the pending re-authentication. */
export const wish = storeOf<((isShown: boolean) => void) | null>(null)
let asked: Promise<boolean> | null = null

/** Opens one dialog for all requests that wait. False when the person cancels. */
export function askToProve(): Promise<boolean> {
  asked ??= new Promise<boolean>((answer) => wish.set(answer)).finally(() => {
    asked = null
  })
  return asked
}

export function answer(isShown: boolean): void {
  const waiting = wish.get()
  wish.set(null)
  waiting?.(isShown)
}
