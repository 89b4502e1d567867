import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'

/** What a place is for when nothing is in it yet, and the one thing to do. */
export function Empty({ title, children, deed }: { title?: string; children: ReactNode; deed?: ReactNode }) {
  return (
    <div className="empty">
      <Drawing />
      {title && <h1>{title}</h1>}
      <p>{children}</p>
      {deed}
    </div>
  )
}

/** Grey lines where content will be, shown only if it takes a moment. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

/** What stands where content could not be had: what happened, and another try. Without `retry` the page's data is loaded again. */
export function Failed({ children, retry }: { children?: ReactNode; retry?: () => void }) {
  const words = useWords('site')
  const { revalidate, state } = useRevalidator()
  return (
    <div className="empty" role="alert">
      <p>{children ?? words('broken')}</p>
      <button type="button" className="button quiet" disabled={state === 'loading'} onClick={retry ?? (() => void revalidate())}>
        {words('retry')}
      </button>
    </div>
  )
}
