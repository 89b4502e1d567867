import { useRef, type PointerEvent } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/sheet.module.css'

export type Height = 'half' | 'full'

const step = 48
const clickTolerance = 6

type GripProps = { height: Height; choose: (height: Height) => void; dismiss: () => void }

/** The handle of a sheet: dragging up gives full height, dragging down half height and then dismissal; a tap toggles the height. */
export function Grip({ height, choose, dismiss }: GripProps) {
  const words = useWords('site')
  const began = useRef<number | null>(null)
  const wasDrawn = useRef(false)
  const isFull = height === 'full'

  function begin({ currentTarget, pointerId, clientY }: PointerEvent<HTMLButtonElement>): void {
    currentTarget.setPointerCapture(pointerId)
    began.current = clientY
    wasDrawn.current = false
  }

  function draw({ currentTarget, clientY }: PointerEvent<HTMLButtonElement>): void {
    if (began.current === null) return
    const way = clientY - began.current
    if (Math.abs(way) > clickTolerance) wasDrawn.current = true
    currentTarget.closest('dialog')?.style.setProperty('--drawn', `${isFull ? Math.max(0, way) : way}px`)
  }

  function end({ currentTarget, clientY }: PointerEvent<HTMLButtonElement>): void {
    const way = clientY - (began.current ?? clientY)
    began.current = null
    currentTarget.closest('dialog')?.style.removeProperty('--drawn')
    if (way < -step) choose('full')
    else if (way > step && isFull) choose('half')
    else if (way > step) dismiss()
  }

  function turn(): void {
    if (!wasDrawn.current) choose(isFull ? 'half' : 'full')
    wasDrawn.current = false
  }

  return (
    <button
      type="button"
      className={css.grip}
      aria-label={words(isFull ? 'halfHeight' : 'fullHeight')}
      onPointerDown={begin}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={end}
      onClick={turn}
    />
  )
}
