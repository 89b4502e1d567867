import { useCallback, useEffect, useState, type RefObject } from 'react'

export type Typing = { text: string; isOpen: boolean; close: () => void }

/** The text of the field and whether it has the focus. Uncommitted input of an input method does not count. */
export function useTyping(input: RefObject<HTMLInputElement | null>): Typing {
  const [state, setState] = useState({ text: '', isOpen: false })
  useEffect(() => {
    const box = input.current
    if (!box) return undefined
    const control = new AbortController()
    const { signal } = control
    const read = (isOpen: boolean) => setState({ text: box.value.trim(), isOpen })
    box.addEventListener('input', (event) => !event.isComposing && read(true), { signal })
    box.addEventListener('compositionend', () => read(true), { signal })
    box.addEventListener('focus', () => read(true), { signal })
    box.addEventListener('click', () => read(true), { signal })
    box.addEventListener('blur', () => read(false), { signal })
    box.form?.addEventListener('submit', () => read(false), { signal })
    // Typing may have continued while this code was loading.
    read(document.activeElement === box)
    return () => control.abort()
  }, [input])
  const close = useCallback(() => setState((before) => ({ ...before, isOpen: false })), [])
  return { ...state, close }
}
