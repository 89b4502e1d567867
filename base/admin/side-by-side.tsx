import type { ReactNode } from 'react'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import css from '#base/admin/side-by-side.module.css'

/** One thing in the site's languages, side by side where they fit. */
export function SideBySide({ children }: { children: ReactNode }) {
  const isAlone = offeredLanguages.use().length === 1
  return <div className={isAlone ? css.alone : css.both}>{children}</div>
}
