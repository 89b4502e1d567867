import { createContext, useContext, useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { focusLater } from '#base/web/focus-later.ts'
import { Submit } from '#base/web/form.tsx'
import { Icon } from '#base/web/icon.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { useWords } from '#base/web/words.tsx'
import { useDesk } from '#comment/web/desk.tsx'
import css from '#comment/web/sheet.module.css'

/** Puts the sheet away; null where one writes in the place itself. */
const AwayContext = createContext<(() => void) | null>(null)

/** Where one writes: in its place, on a phone on a sheet over all else. Put away, it keeps what was written, and comes back with one tap. */
export function Sheet({ label, children }: { label: string; children: ReactNode }) {
  const [isSheet] = useState(isOnPhone)
  const { writing, write } = useDesk()
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = writing !== null && !writing.isAway
  useEffect(() => {
    if (!isSheet) return
    if (!isOpen) return dialog.current?.close()
    if (!dialog.current?.open) dialog.current?.showModal()
    focusLater(() => dialog.current)
  }, [isSheet, isOpen])
  if (!isSheet) return children

  // An edit stands where the post stood, which comes back; what is written of it is kept as a draft.
  function putAway(): void {
    write(writing?.kind === 'edit' ? null : writing && { ...writing, isAway: true })
  }

  // React tells it of a dialog within it too.
  function closed({ target }: SyntheticEvent): void {
    if (target === dialog.current && isOpen) putAway()
  }

  return (
    <dialog ref={dialog} className={css.sheet} data-sheet aria-label={label} onClose={closed}>
      <AwayContext value={putAway}>{children}</AwayContext>
    </dialog>
  )
}

/** Above what is written on a sheet: the way back, and the button that sends it. */
export function SheetHead({ deed }: { deed: string }) {
  const words = useWords('comment')
  const putAway = useContext(AwayContext)
  if (!putAway) return null
  return (
    <p className={css.head}>
      <button type="button" className="icon" aria-label={words('putAway')} onClick={putAway}>
        <Icon name="down" />
      </button>
      <Submit>{deed}</Submit>
    </p>
  )
}

/** Below what is written in its place. */
export function SheetFoot({ children }: { children: ReactNode }) {
  return useContext(AwayContext) ? null : <p className="deeds">{children}</p>
}
