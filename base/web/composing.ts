import { useEffect, type RefObject } from 'react'

// What some browsers say of the key that ends a composition, once they no longer call it composing.
const ofInputMethod = 229

/** Whether a key belongs to an input method, such as one for Chinese: it must send, choose and close nothing. */
export function isComposing({ isComposing: composes, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return composes || keyCode === ofInputMethod
}

/** Enter, where it takes over what was composed in a line, does not send the form around it. */
export function useComposing(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const { current } = form
    current?.addEventListener('keydown', holdComposed)
    return () => current?.removeEventListener('keydown', holdComposed)
  }, [form])
}

export function holdComposed(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement && isComposing(event)) event.preventDefault()
}
