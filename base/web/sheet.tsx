import { createContext, useContext, useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { focusLater } from '#base/web/focus-later.ts'
import { Submit } from '#base/web/form.tsx'
import { Grip, type Height } from '#base/web/grip.tsx'
import { Icon } from '#base/web/icon.tsx'
import { isOnPhone } from '#base/web/phone.ts'
import { modals, stepOfDialog } from '#base/web/step-over.ts'
import { storeOf } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/sheet.module.css'

type Here = {
  putAway: () => void
  /** Null where it is always full height. */
  height: Height | null
}

const SheetContext = createContext<Here | null>(null)
/** The height chosen last, used for the next sheet too. */
const chosen = storeOf<Height | null>(null)

type SheetProps = {
  label: string
  isOpen: boolean
  putAway: () => void
  /** The initial height of a sheet that has two. */
  height?: Height
  /** Whether the sheet is a page of its own, which going back leaves. */
  isPage?: boolean
  children: ReactNode
}

/** A form in place, and on a phone in a sheet above the keyboard. A dismissed sheet keeps its text. */
export function Sheet({ label, isOpen, putAway, height: first, isPage = false, children }: SheetProps) {
  const [isSheet] = useState(isOnPhone)
  const dialog = useRef<HTMLDialogElement>(null)
  const last = chosen.use()
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
    let step = stepOfDialog(current, modals(), (next) => void (step = next))
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
  function closed({ target }: SyntheticEvent): void {
    if (target === dialog.current && isOpen) putAway()
  }

  return (
    <dialog ref={dialog} className={css.sheet} data-sheet={height ?? 'full'} aria-label={label} onClose={closed}>
      <SheetContext value={{ putAway, height }}>{children}</SheetContext>
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
    <Sheet label={label} isOpen putAway={putAway} isPage>
      {children}
    </Sheet>
  )
}

/** The head of a sheet: the way back, its height, and the submit button. */
export function SheetHead({ deed }: { deed: string }) {
  const words = useWords('site')
  const here = useContext(SheetContext)
  if (!here) return null
  const { height, putAway } = here
  return (
    <p className={css.head}>
      {height && <Grip height={height} choose={chosen.set} putAway={putAway} />}
      <button type="button" className="icon" aria-label={words('putAway')} onClick={putAway}>
        <Icon name="down" />
      </button>
      <Submit>{deed}</Submit>
    </p>
  )
}

/** The footer of a form in place. */
export function SheetFoot({ children }: { children: ReactNode }) {
  return useContext(SheetContext) ? null : <p className="deeds">{children}</p>
}

export function useIsOnSheet(): boolean {
  return useContext(SheetContext) !== null
}
