import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#comment/web/reading/reading.module.css'

type Origin = { step: number; position: number | null }

/** After a jump by link or scrubber: a button back to the former position. */
export function WayBack({ position }: { position: number | null }) {
  const words = useWords('comment')
  const go = useNavigate()
  const [origin, setOrigin] = useOrigin(position)
  if (!origin || origin.position === position) return null
  return (
    <div className={css.pill}>
      <button type="button" onClick={() => void go(origin.step - stepNow())}>
        <Icon name="left" size={16} />
        {origin.position === null ? words('backToPost') : words('backTo', { floor: origin.position })}
      </button>
      <button type="button" aria-label={words('stayHere')} onClick={() => setOrigin(null)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

function useOrigin(position: number | null) {
  const { key, search } = useLocation()
  const kind = useNavigationType()
  const [origin, setOrigin] = useState<Origin | null>(null)
  const last = useRef<Origin>({ step: stepNow(), position })
  const arrive = useEffectEvent(() => {
    if (kind === NavigationType.Push && last.current.step === stepNow() - 1) setOrigin(isJump(search) ? last.current : null)
    else if (kind === NavigationType.Pop) setOrigin(null)
    last.current = { step: stepNow(), position }
  })
  const first = useRef(key)
  useEffect(() => {
    if (first.current !== key) arrive()
    first.current = key
  }, [key])
  useEffect(() => {
    last.current = { step: last.current.step, position }
  }, [position])
  return [origin, setOrigin] as const
}

function isJump(search: string): boolean {
  const query = new URLSearchParams(search)
  return ['commentId', 'replyId', 'floor'].some((name) => query.has(name))
}

/** The index in the history, maintained by the router. */
function stepNow(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0
}
