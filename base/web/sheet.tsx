import { createContext, useContext, useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { focusLater } from '#base/web/focus-later.ts'
import { Submit } from '#base/web/form.tsx'
import { Grip, type Height } from '#base/web/grip.tsx'
import { Icon } from '#base/web/icon.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { openModals, dialogHistoryStep } from '#base/web/history-step.ts'
import { createStore } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/sheet.module.css'

type SheetState = {
  dismiss: () => void
  /** Null where it is always full height. */
  height: Height | null
}

const SheetContext = createContext<SheetState | null>(null)
/** The height chosen last, used for the next sheet too. */
const chosenHeight = createStore<Height | null>(null)

type SheetProps = {
  label: string
  isOpen: boolean
  dismiss: () => void
  /** The initial height of a sheet that has two. */
  height?: Height
  /** Whether the sheet is a page of its own, which going back leaves. */
  isPage?: boolean
  children: ReactNode
}

/** A form in place, and on a phone in a sheet above the keyboard. A dismissed sheet keeps its text. */
export function Sheet({ label, isOpen, dismiss, height: first, isPage = false, children }: SheetProps) {
  const [isSheet] = useState(isOnPhone)
  const dialog = useRef<HTMLDialogElement>(null)
  const last = chosenHeight.use()
  const height = first ? (last ?? first) : null
  useEffect(() => {
    if (!isSheet) return
    if (!isOpen) return dialog.current?.close()
    if (!dialog.current?.open) dialog.current?.showModal()
    if (!isPage) focusLater(() => dialog.current)
  }, [isSheet, isOpen, isPage])
  useEffect(() => {
    const { current } = dialog
    if (!current || !isOpen || isPage) return undefined
    let step = dialogHistoryStep(current, openModals(), (next) => void (step = next))
    return () => step.leave()
  }, [isSheet, isOpen, isPage])
  useEffect(() => {
    const { current } = dialog
    if (!current) return undefined
    // The page is visible above a sheet of half height.
    const tapped = ({ target, clientY }: MouseEvent) => {
      if (target === current && clientY < current.getBoundingClientRect().top) current.close()
    }
    current.addEventListener('click', tapped)
    return () => current.removeEventListener('click', tapped)
  }, [isSheet])
  if (!isSheet) return children

  // React also bubbles this event from a nested dialog.
  function onClose({ target }: SyntheticEvent): void {
    if (target === dialog.current && isOpen) dismiss()
  }

  return (
    <dialog ref={dialog} className={css.sheet} data-sheet={height ?? 'full'} aria-label={label} onClose={onClose}>
      <SheetContext value={{ dismiss, height }}>{children}</SheetContext>
    </dialog>
  )
}

/** The sheet of a form with its own page. Dismissal goes back to the previous page. */
export function PageSheet({
  label,
  back,
  children,
}: {
  label: string
  /** The fallback for a visit from outside. */ back: string
  children: ReactNode
}) {
  const go = useNavigate()
  const { key } = useLocation()
  const putAway = () => void (key === 'default' ? go(back, { replace: true }) : go(-1))
  return (
    <Sheet label={label} isOpen dismiss={putAway} isPage>
      {children}
    </Sheet>
  )
}

/** The head of a sheet: the way back, its height, and the submit button. */
export function SheetHead({ action }: { action: string }) {
  const words = useWords('site')
  const here = useContext(SheetContext)
  if (!here) return null
  const { height, dismiss } = here
  return (
    <p className={css.head}>
      {height && <Grip height={height} choose={chosenHeight.set} dismiss={dismiss} />}
      <button type="button" className="icon" aria-label={words('putAway')} onClick={dismiss}>
        <Icon name="down" />
      </button>
      <Submit>{action}</Submit>
    </p>
  )
}

/** The footer of a form in place. */
export function SheetFoot({ children }: { children: ReactNode }) {
  return useContext(SheetContext) ? null : <p className="actions">{children}</p>
}

export function useIsOnSheet(): boolean {
  return useContext(SheetContext) !== null
}
