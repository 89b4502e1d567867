import { useEffect, type RefObject } from 'react'

// The key code some browsers report for the key that ends a composition, when `isComposing` is false again.
const inputMethodKeyCode = 229

/** Whether a key belongs to an input method, such as one for Chinese, and must not send, choose or close anything. */
export function isComposing({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return composes || keyCode === inputMethodKeyCode
}

/** Enter that ends a composition does not submit the form. */
export function useComposing(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const { current } = form
    current?.addEventListener('keydown', ignoreComposition)
    return () => current?.removeEventListener('keydown', ignoreComposition)
  }, [form])
}

export function ignoreComposition(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && isComposing(event)) event.preventDefault()
}
