import type { ReactNode } from 'react'
import css from '#base/admin/side-by-side.module.css'

/** One thing in two languages: beside each other where there is room. */
export function SideBySide({ children }: { children: ReactNode }) {
  return <div className={css.both}>{children}</div>
}
