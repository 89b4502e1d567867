import type { ReactNode } from 'react'

/** What a place is for when nothing is in it yet, and the one thing to do. */
export function Empty({ children, deed }: { children: ReactNode; deed?: ReactNode }) {
  return (
    <div className="empty">
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
