import { useId, useRef, type MouseEvent, type PointerEvent } from 'react'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/alert.module.css'

/** The errors of a form as a whole. The box can be dragged aside to read the form. */
export function ErrorAlert({ text, close }: { text: string; close: () => void }) {
  const words = useWords('call')
  const id = useId()
  const { box, ...grip } = useGrip()
  return (
    <div ref={box} role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`} className={css.alert}>
      <header {...grip}>
        <strong id={`${id}-title`}>{words('formErrors')}</strong>
        <button
          type="button"
          className="icon"
          aria-label={words('close')}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={close}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // A dialog around the form stays open.
            event.preventDefault()
            close()
          }}
          autoFocus
        >
          <Icon name="close" />
        </button>
      </header>
      <p id={`${id}-text`}>{text}</p>
    </div>
  )
}

/** Makes a box draggable by its grip, within the viewport. */
function useGrip() {
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<{ x: number; y: number } | null>(null)
  const moved = useRef({ x: 0, y: 0 })

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    from.current = { x: event.clientX - moved.current.x, y: event.clientY - moved.current.y }
    event.currentTarget.setPointerCapture(event.pointerId)
  }

  function onPointerMove({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): void {
    if (!from.current || !box.current) return
    const { left, right, top } = currentTarget.getBoundingClientRect()
    const by = { x: clientX - from.current.x - moved.current.x, y: clientY - from.current.y - moved.current.y }
    const minVisible = 48
    by.x = Math.min(Math.max(by.x, minVisible - right), innerWidth - minVisible - left)
    by.y = Math.min(Math.max(by.y, -top), innerHeight - minVisible - top)
    moved.current = { x: moved.current.x + by.x, y: moved.current.y + by.y }
    box.current.style.translate = `${moved.current.x}px ${moved.current.y}px`
  }

  function onPointerUp(): void {
    from.current = null
  }

  // Keeps the focus, and selects no text.
  const onMouseDown = (event: MouseEvent) => event.preventDefault()
  return { box, onMouseDown, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp }
}
