import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { storeOf } from '#base/web/store.ts'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

type DialogProps = { title: string; children: ReactNode; close: () => void; isOpen: boolean }

/** A dialog over the page: it begins at what is marked `data-first`, Esc and the cross close it, and focus goes back to where it was. */
export function Dialog({ title, children, close, isOpen }: DialogProps) {
  const words = useWords('call')
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!isOpen) return dialog.current?.close()
    if (!dialog.current?.open) dialog.current?.showModal()
    // By itself it would begin at its cross.
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isOpen])
  return (
    <dialog ref={dialog} className={css.dialog} aria-labelledby={titleId} onClose={close}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon" aria-label={words('close')} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {isOpen && children}
    </dialog>
  )
}

type Question = { title: string; deed: string; answer: (yes: boolean) => void }
const asked = storeOf<Question | null>(null)

/** Asks once before a deed that cannot be taken back; the button says the deed. */
export function confirm(title: string, deed: string): Promise<boolean> {
  asked.get()?.answer(false)
  return new Promise((answer) => asked.set({ title, deed, answer }))
}

export function Confirmation() {
  const words = useWords('site')
  const question = asked.use()
  function answer(yes: boolean): void {
    question?.answer(yes)
    asked.set(null)
  }
  return (
    <Dialog title={question?.title ?? ''} isOpen={question !== null} close={() => answer(false)}>
      <p className={css.deeds}>
        <button type="button" className="button quiet" data-first onClick={() => answer(false)}>
          {words('cancel')}
        </button>
        <button type="button" className="button danger" onClick={() => answer(true)}>
          {question?.deed}
        </button>
      </p>
    </Dialog>
  )
}

type Notice = { title: string; text: string }
const notice = storeOf<Notice | null>(null)
let wasNoticed = false

/** The site's own notice, such as why it is closed: shown once, however many calls meet it. */
export function noticeOnce(title: string, text: string): void {
  if (wasNoticed) return
  wasNoticed = true
  notice.set({ title, text })
}

export function NoticeDialog() {
  const said = notice.use()
  return (
    <Dialog title={said?.title ?? ''} isOpen={said !== null} close={() => notice.set(null)}>
      <p className={css.text}>{said?.text}</p>
    </Dialog>
  )
}

type PromptProps = {
  title: string
  label: string
  deed: string
  isOpen: boolean
  close: () => void
  first?: string
  /** A pattern, or a function that says whether the value will do, or what is wrong with it. */
  check?: RegExp | ((value: string) => boolean | string)
  then: (value: string) => void
}

/** Asks for one line. */
export function Prompt({ title, label, deed, isOpen, close, first, check = () => true, then }: PromptProps) {
  const words = useWords('call')
  const inputId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)

  function faultIn(value: string): string | null {
    const verdict = check instanceof RegExp ? value.search(check) >= 0 : check(value)
    if (verdict === true) return null
    return verdict || words('illegalInput')
  }

  function answer(event: FormEvent): void {
    event.preventDefault()
    // A prompt may stand inside of a form, which is not meant.
    event.stopPropagation()
    const value = input.current?.value ?? ''
    const fault = faultIn(value)
    setWrong(fault)
    if (fault) return input.current?.focus()
    then(value)
    close()
  }

  return (
    <Dialog title={title} isOpen={isOpen} close={close}>
      <form onSubmit={answer} className="field" noValidate>
        <label htmlFor={inputId}>{label}</label>
        <input
          ref={input}
          id={inputId}
          defaultValue={first}
          data-first
          autoComplete="off"
          aria-invalid={wrong !== null}
          aria-describedby={`${inputId}-wrong`}
          onInput={() => setWrong(null)}
        />
        <p id={`${inputId}-wrong`} className="wrong" role="alert">
          {wrong}
        </p>
        <p className={css.deeds}>
          <button className="button">{deed}</button>
        </p>
      </form>
    </Dialog>
  )
}
