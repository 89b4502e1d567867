import type { ReactNode } from 'react'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'

/** A notice that something is closed, with a link to a page that is not. */
export function Closed({ children }: { children: ReactNode }) {
  const words = useWords('site')
  const home = (
    <Link to="/index" className="button">
      {words('toIndex')}
    </Link>
  )
  return <Empty action={home}>{children}</Empty>
}
