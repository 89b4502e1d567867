import type { ReactNode } from 'react'
import css from '#base/web/quote.module.css'

/** What somebody said, under what it is or who said it; nothing where nothing was said. */
export function Quote({ by, children }: { by: ReactNode; children: ReactNode }) {
  if (!children) return null
  return (
    <blockquote className={css.quote}>
      <p>{by}</p>
      {children}
    </blockquote>
  )
}
