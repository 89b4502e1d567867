import { storeOf } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/toast.module.css'

type Toast = { id: number; text: string }

const shortMs = 5_000
const shown = storeOf<readonly Toast[]>([])
let last = 0

/** Tells of something that happened elsewhere. It goes by itself, unless it is persistent. */
export function say(text: string, { isPersistent = false } = {}): void {
  if (shown.get().some((toast) => toast.text === text)) return
  const id = ++last
  shown.set([...shown.get(), { id, text }])
  if (!isPersistent) setTimeout(() => close(id), shortMs)
}

function close(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const words = useWords('call')
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {shown.use().map(({ id, text }) => (
        <div key={id} className={css.toast}>
          <p>{text}</p>
          <button type="button" aria-label={words('close')} onClick={() => close(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
