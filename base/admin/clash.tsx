import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/clash.module.css'

type ClashProps = {
  /** Who changed it. */
  said: string
  keepMine: () => void
  takeTheirs: () => void
  /** What they made of it. */
  children: ReactNode
}

/** What somebody else saved while one was writing, beside what one writes, to choose from. */
export function Clash({ said, keepMine, takeTheirs, children }: ClashProps) {
  const words = useWords('admin')
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section ref={panel} className={css.clash}>
      <p role="alert">{said}</p>
      <p>{words('chooseOne')}</p>
      {children}
      <p className={css.deeds}>
        <button type="button" className="button quiet" onClick={keepMine}>
          {words('keepMine')}
        </button>
        <button type="button" className="button quiet" onClick={takeTheirs}>
          {words('takeTheirs')}
        </button>
      </p>
    </section>
  )
}
