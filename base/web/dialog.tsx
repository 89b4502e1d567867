import { useEffect, useId, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

type DialogProps = {
  title: string
  children: ReactNode
  close: () => void
  isOpen: boolean
  /** It hangs below the head of the page, and grows down only. */
  hangs?: boolean
}

/**
 * A dialog over the page: it begins at what is marked `data-first`, Esc and the cross close it unless somebody within prevents its `cancel`,
 * and focus goes back to where it was.
 */
export function Dialog({ title, children, close, isOpen, hangs }: DialogProps) {
  const words = useWords('call')
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!isOpen) return dialog.current?.close()
    if (!dialog.current?.open) dialog.current?.showModal()
    // By itself it would begin at its cross.
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isOpen])

  function cancel(): void {
    if (dialog.current?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.current.close()
  }

  // React tells it of a dialog within it too.
  function closed({ target }: SyntheticEvent): void {
    if (target === dialog.current) close()
  }

  return (
    <dialog ref={dialog} className={css.dialog} data-hangs={hangs} aria-labelledby={titleId} onClose={closed}>
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
