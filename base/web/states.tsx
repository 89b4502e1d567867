import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'

/** An empty state: the purpose of the place, and the one thing to do. */
export function Empty({ title, children, action }: { title?: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <Drawing />
      {title && <h1>{title}</h1>}
      <p>{children}</p>
      {action}
    </div>
  )
}

/** A loading placeholder that appears after a moment. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

/** Room for fields that load, as high as they will be, so that nothing below them moves. */
export function FieldsPlaceholder({ height }: { height: number }) {
  return <div aria-hidden="true" style={{ height, marginBottom: 16 }} />
}

/** An error state with a retry. Without `retry`, the page's data is reloaded. */
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
