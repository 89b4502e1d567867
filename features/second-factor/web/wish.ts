import { storeOf } from '#base/web/store.ts'

/** What waits until the person has shown again that it is them. */
export const wish = storeOf<((isShown: boolean) => void) | null>(null)
let asked: Promise<boolean> | null = null

/** Asks once for all calls that wait. False when the person would rather not. */
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
