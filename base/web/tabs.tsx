import type { ReactNode } from 'react'
import { useCurrentInView } from '#base/web/scrolled-row.ts'

/** Links between the parts of a page, in one row that scrolls sideways. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useCurrentInView<HTMLElement>()
  return (
    <nav ref={row} className="tabs scrolled-row" aria-label={label}>
      {children}
    </nav>
  )
}
