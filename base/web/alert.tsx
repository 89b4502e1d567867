import { useRef, type PointerEvent } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/alert.module.css'

/** What is wrong with a form as a whole. It can be moved aside to read the form, and closing it is all there is to do. */
export function ErrorAlert({ text, close }: { text: string; close: () => void }) {
  const words = useWords('call')
  const box = useRef<HTMLDivElement>(null)
  const grip = useRef({ x: 0, y: 0, isHeld: false })

  function take(event: PointerEvent<HTMLElement>): void {
    const { x, y } = grip.current
    grip.current = { x: event.clientX - x, y: event.clientY - y, isHeld: true }
    event.currentTarget.setPointerCapture(event.pointerId)
  }

  function drag(event: PointerEvent): void {
    if (!grip.current.isHeld || !box.current) return
    box.current.style.translate = `${event.clientX - grip.current.x}px ${event.clientY - grip.current.y}px`
  }

  function drop(event: PointerEvent): void {
    if (grip.current.isHeld) grip.current = { x: event.clientX - grip.current.x, y: event.clientY - grip.current.y, isHeld: false }
  }

  return (
    <div ref={box} role="alertdialog" aria-label={words('formErrors')} className={css.alert}>
      <header onPointerDown={take} onPointerMove={drag} onPointerUp={drop}>
        <strong>{words('formErrors')}</strong>
        <button type="button" aria-label={words('close')} onPointerDown={(event) => event.stopPropagation()} onClick={close} autoFocus>
          ×
        </button>
      </header>
      <p>{text}</p>
    </div>
  )
}
