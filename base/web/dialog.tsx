import { useEffect, useId, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

type DialogProps = {
  title: string
  children: ReactNode
  close: () => void
  isOpen: boolean
  /** Below the page header, growing downwards only. */
  isBelowHeader?: boolean
}

/**
 * A modal dialog. Focus starts at the element marked `data-first` and returns to where it was. Esc and the cross close it unless a
 * child prevents its `cancel`.
 */
export function Dialog({ title, children, close, isOpen, isBelowHeader }: DialogProps) {
  const words = useWords('call')
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!isOpen) return dialog.current?.close()
    if (!dialog.current?.open) dialog.current?.showModal()
    // The browser would focus the cross.
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isOpen])

  function cancel(): void {
    if (dialog.current?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.current.close()
  }

  // React also bubbles this event from a nested dialog. It comes a task after the closing, when the dialog may be open for the next question.
  function closed({ target }: SyntheticEvent): void {
    if (target === dialog.current && !dialog.current?.open) close()
  }

  return (
    <dialog ref={dialog} className={css.dialog} data-hangs={isBelowHeader} aria-labelledby={titleId} onClose={closed}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon" aria-label={words('close')} onClick={cancel}>
          <Icon name="close" />
        </button>
      </header>
      {isOpen && children}
    </dialog>
  )
}
