import { useEffect, useRef } from 'react'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { createStore } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/toast.module.css'

type ToastOptions = {
  isPersistent?: boolean
  /** Tries the failed action again. */ retry?: () => void
  /** The label of an action other than a retry. */ label?: string
  /** How long the action is offered. */ lastsMs?: number
}
type Toast = ToastOptions & { id: number; text: string }

const shortMs = 5_000
const toastStore = createStore<readonly Toast[]>([])
let last = 0

/**
 * Shows a toast, which closes after a moment unless it is persistent; the returned function closes it. A text that is
 * already shown is not repeated.
 */
export function toast(text: string, manner: ToastOptions = {}): () => void {
  const others = toastStore.get().filter((toast) => toast.text !== text || toast.isPersistent)
  if (others.some((toast) => toast.text === text)) return () => undefined
  const id = ++last
  toastStore.set([...others, { id, text, ...manner }])
  return () => close(id)
}

function close(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const box = useRef<HTMLDivElement>(null)
  const toasts = toastStore.use()
  useEffect(() => box.current?.showPopover(), [])
  useEffect(() => {
    // A dialog opened since would cover it.
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

function Toast({ id, text, isPersistent, retry, label, lastsMs = shortMs }: Toast) {
  const words = useWords('call')
  const siteWords = useWords('site')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isPersistent) return undefined
    const timer = setInterval(() => {
      // It stays while it has the pointer or focus.
      if (!box.current?.matches(':hover, :focus-within')) close(id)
    }, lastsMs)
    return () => clearInterval(timer)
  }, [id, isPersistent, lastsMs])
  return (
    <div ref={box} className={css.toast}>
      <p>{text}</p>
      {retry && (
        <button type="button" className="plain" onClick={retry}>
          {label ?? siteWords('retry')}
        </button>
      )}
      <button type="button" className="icon" aria-label={words('close')} onClick={() => close(id)}>
        <StrokeIcon path="M5 5l10 10M15 5 5 15" size={16} />
      </button>
    </div>
  )
}
