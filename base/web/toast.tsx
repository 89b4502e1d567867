import { useEffect, useRef } from 'react'
import { Sign } from '#base/web/sign.tsx'
import { storeOf } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/toast.module.css'

type Toast = { id: number; text: string; isPersistent: boolean }

const shortMs = 5_000
const shown = storeOf<readonly Toast[]>([])
let last = 0

/** Tells of something that happened elsewhere. It goes by itself, unless it is persistent. What is said already is not said twice. */
export function say(text: string, { isPersistent = false } = {}): void {
  const others = shown.get().filter((toast) => toast.text !== text || toast.isPersistent)
  if (others.some((toast) => toast.text === text)) return
  shown.set([...others, { id: ++last, text, isPersistent }])
}

function close(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const box = useRef<HTMLDivElement>(null)
  const toasts = shown.use()
  useEffect(() => box.current?.showPopover(), [])
  useEffect(() => {
    // A dialog opened since then would lie above.
    if (toasts.length === 0 || !document.querySelector('dialog:modal')) return
    box.current?.hidePopover()
    box.current?.showPopover()
  }, [toasts])
  return (
    <div ref={box} popover="manual" className={css.toasts} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <Toast key={toast.id} {...toast} />
      ))}
    </div>
  )
}

function Toast({ id, text, isPersistent }: Toast) {
  const words = useWords('call')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isPersistent) return undefined
    const timer = setInterval(() => {
      // It waits while somebody reads or reaches for it.
      if (!box.current?.matches(':hover, :focus-within')) close(id)
    }, shortMs)
    return () => clearInterval(timer)
  }, [id, isPersistent])
  return (
    <div ref={box} className={css.toast}>
      <p>{text}</p>
      <button type="button" className="icon" aria-label={words('close')} onClick={() => close(id)}>
        <Sign path="M5 5l10 10M15 5 5 15" size={16} />
      </button>
    </div>
  )
}
