import { useRef, type PointerEvent } from 'react'

const pressMs = 450
const toleratedPx = 10

/** A long press opens the menu within. */
export function useLongPress() {
  const pressed = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const wasLong = useRef(false)

  function stop(): void {
    if (pressed.current) clearTimeout(pressed.current.timer)
    pressed.current = null
  }

  return {
    onPointerDown({ pointerType, clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLElement>): void {
      stop()
      wasLong.current = false
      if (pointerType !== 'touch') return
      const timer = setTimeout(() => {
        wasLong.current = true
        currentTarget.dataset['pressed'] = ''
      }, pressMs)
      pressed.current = { timer, x, y }
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      const from = pressed.current
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > toleratedPx) stop()
    },
    onPointerUp({ currentTarget }: PointerEvent<HTMLElement>): void {
      stop()
      delete currentTarget.dataset['pressed']
      // Opened under the finger, the menu would close when the finger lifts.
      if (wasLong.current) setTimeout(() => currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click())
    },
    onPointerCancel({ currentTarget }: PointerEvent<HTMLElement>): void {
      stop()
      delete currentTarget.dataset['pressed']
      wasLong.current = false
    },
    // Lifting the finger after a long press follows no link, and opens no menu of the browser's own.
    onClickCapture(event: { preventDefault(): void; stopPropagation(): void; target: EventTarget }): void {
      if (!wasLong.current || (event.target instanceof Element && event.target.closest('[role="menu"], [aria-haspopup="menu"]'))) return
      wasLong.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu(event: { preventDefault(): void }): void {
      if (pressed.current || wasLong.current) event.preventDefault()
    },
  }
}
