import { useEffect, useState } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#writing/web/post-editor.module.css'

/** Counts down to the end of the cooldown. Screen readers announce its length at the start, and its end. */
export function Cooldown({ until }: { until: number }) {
  const words = useWords('writing')
  const left = useSecondsLeft(until)
  const [atFirst] = useState(left)
  return (
    <div className={css.cooldown}>
      {left > 0 && (
        <>
          <p className="hidden" role="alert">
            {words('tooSoon', { seconds: atFirst })}
          </p>
          <p className="wrong" aria-hidden="true">
            {words('tooSoon', { seconds: left })}
          </p>
        </>
      )}
      <p className="help" role="status">
        {left === 0 && words('waitOver')}
      </p>
    </div>
  )
}

function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  const isOver = left === 0
  useEffect(() => {
    if (isOver) return
    const ticking = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(ticking)
  }, [isOver])
  return left
}
