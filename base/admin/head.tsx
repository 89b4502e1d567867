import type { ReactNode } from 'react'
import css from '#base/admin/head.module.css'

/** What a screen is called, and beside it what one may do there. */
export function Head({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.head}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
