import { useId, useRef, useState, type FormEvent } from 'react'
import { ignoreComposition } from '#base/web/composing.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

type PromptProps = {
  title: string
  label: string
  action: string
  isOpen: boolean
  close: () => void
  initial?: string
  /** A pattern, or a function that returns validity or an error message. */
  check?: RegExp | ((value: string) => boolean | string)
  onSubmit: (value: string) => void
}

/** A dialog that asks for one line. */
export function Prompt({ title, label, action, isOpen, close, initial, check = () => true, onSubmit }: PromptProps) {
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
    // A prompt may be nested in a form, which must not be submitted.
    event.stopPropagation()
    const value = input.current?.value ?? ''
    const fault = faultIn(value)
    setWrong(fault)
    if (fault) return input.current?.focus()
    onSubmit(value)
    close()
  }

  return (
    <Dialog title={title} isOpen={isOpen} close={close}>
      <form onSubmit={answer} className="field" noValidate>
        <label htmlFor={inputId}>{label}</label>
        <input
          ref={input}
          id={inputId}
          defaultValue={initial}
          data-first
          autoComplete="off"
          aria-invalid={wrong !== null}
          aria-describedby={`${inputId}-wrong`}
          onKeyDown={({ nativeEvent }) => ignoreComposition(nativeEvent)}
          onInput={() => setWrong(null)}
        />
        <p id={`${inputId}-wrong`} className="wrong" role="alert">
          {wrong}
        </p>
        <p className={css.actions}>
          <button className="button">{action}</button>
        </p>
      </form>
    </Dialog>
  )
}
