import type { ReactNode } from 'react'
import css from '#base/web/quote.module.css'

/** A quotation below its author or kind; nothing for an empty text. */
export function Quote({ by, children }: { by: ReactNode; children: ReactNode }) {
  if (!children) return null
  return (
    <blockquote className={css.quote}>
      <p>{by}</p>
      {children}
    </blockquote>
  )
}
