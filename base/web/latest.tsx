import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { CallFailed } from '#base/web/call.ts'
import { Empty, Failed, Skeleton } from '#base/web/states.tsx'
import type { Store } from '#base/web/store.ts'
import css from '#base/web/latest.module.css'

type LatestRows<Rows> = { rows: Rows | null; hasFailed: boolean; retry: () => void }

/** The latest items of a list, reloaded whenever it opens or its counts change. The previous rows stay until the response arrives. */
export function useLatestRows<Rows>(cache: Store<Rows | null>, revision: string, read: () => Promise<Rows>): LatestRows<Rows> {
  const rows = cache.use()
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  const ask = useEffectEvent(read)
  useEffect(() => {
    let isOver = false
    ask().then(
      (answer) => {
        if (isOver) return
        cache.set(answer)
        setFailed(false)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        if (!isOver) setFailed(true)
      },
    )
    return () => void (isOver = true)
  }, [cache, revision, tries])
  return { rows, hasFailed, retry: () => setTries(tries + 1) }
}

type LatestListProps = {
  title: string
  /** Marks all as read, if anything is unread. */
  markAll: ReactNode
  of: Pick<LatestRows<readonly unknown[]>, 'rows' | 'hasFailed' | 'retry'>
  /** The text of an empty list. */
  none: string
  foot: ReactNode
  children: ReactNode
}

/** The content of a popover: its title, the rows, and links. */
export function LatestList({ title, markAll, of: { rows, hasFailed, retry }, none, foot, children }: LatestListProps) {
  return (
    <>
      <div className={css.head}>
        <h2>{title}</h2>
        {markAll}
      </div>
      <div className={css.rows} aria-busy={rows === null && !hasFailed}>
        {hasFailed && <Failed retry={retry} />}
        {!hasFailed && rows === null && <Skeleton />}
        {rows?.length === 0 && !hasFailed && <Empty>{none}</Empty>}
        {rows && rows.length > 0 && <ol>{children}</ol>}
      </div>
      <div className={css.foot}>{foot}</div>
    </>
  )
}
