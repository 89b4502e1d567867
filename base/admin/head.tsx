import type { ReactNode } from 'react'
import css from '#base/admin/head.module.css'

/** The title of a screen with its actions. */
export function Head({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.head}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
