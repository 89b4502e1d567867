import { useLocation } from 'react-router'
import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#apps/web/screen-placeholder.module.css'

/** The placeholder of a screen that the browser renders. Without a script it explains why nothing follows. */
export function ScreenPlaceholder() {
  const words = useWords('site')
  const { pathname } = useLocation()
  return (
    <div
      className={`column ${css.page}`}
      data-long={pathname.endsWith('Topic') || pathname === '/user/control/home' || undefined}
      data-beside={/control\/(?!private)/.test(pathname) || undefined}
    >
      <noscript>
        <p className="note">{words('needsScript')}</p>
      </noscript>
      <Skeleton />
    </div>
  )
}
