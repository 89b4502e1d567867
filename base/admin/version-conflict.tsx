import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/clash.module.css'

type VersionConflictProps = {
  /** The member of staff who changed it. */
  said: string
  keepMine: () => void
  takeTheirs: () => void
  /** Their version. */
  children: ReactNode
}

/** An edit conflict: another person's saved version beside one's own, to choose from. */
export function VersionConflict({ said, keepMine, takeTheirs, children }: VersionConflictProps) {
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
      <p className={css.actions}>
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
