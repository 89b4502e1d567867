import { useEffect, useState, type ReactNode } from 'react'
import type { DraftState } from '#base/editor/draft-state.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/editor.module.css'
import sheet from '#base/editor/sheet.module.css'

type FootProps = {
  id: string
  error: string | undefined
  isKept: boolean
  isTooLong: boolean
  isWaiting: boolean
  state: DraftState | null
  /** Hides the storage state while all is well. */
  isQuiet: boolean
  /** Takes precedence over the storage state. */
  note: ReactNode
  used: number
  max: number
}

/** Messages below the text, errors first. */
export function Foot({ id, error, isKept, isTooLong, isWaiting, state, isQuiet, note, used, max }: FootProps) {
  const words = useWords('editor')
  const isLost = !isKept && state?.where !== 'site'
  const wrong = error ?? (isTooLong ? words('tooLongToRead') : isWaiting ? words('pictureWait') : isLost ? words('draftNotKept') : null)
  const why = !wrong && !note && state?.why
  return (
    <div className={`${css.foot} ${sheet.foot}`} ref={publishHeight}>
      <p id={id} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : note || why ? 'status' : undefined}>
        {wrong ?? (note || (why ? words(`${why}Draft`) : <StorageState where={isQuiet ? null : (state?.where ?? null)} />))}
      </p>
      {used > max * 0.8 && (
        <p className={css.length} data-over={used > max || undefined}>
          {words('length', { used, max })}
        </p>
      )}
    </div>
  )
}

/** Publishes the footer's height, above which the tools are placed on a phone. */
function publishHeight(foot: HTMLElement | null): (() => void) | undefined {
  if (!foot) return undefined
  const watch = new ResizeObserver(() => foot.parentElement?.style.setProperty('--foot', `${foot.offsetHeight}px`))
  watch.observe(foot)
  return () => watch.disconnect()
}

const stillMs = 1_000

/** The storage state. "On the device" is shown during typing and "on the site" after a pause, so that it does not flicker. */
function StorageState({ where }: { where: DraftState['where'] }) {
  const words = useWords('editor')
  const [isStill, setStill] = useState(where === 'site')
  useEffect(() => {
    const rest = setTimeout(() => setStill(where === 'site'), where === 'site' ? stillMs : 0)
    return () => clearTimeout(rest)
  }, [where])
  if (where === null) return null
  return where === 'site' && isStill ? words('draftOnSite') : words('draftOnDevice')
}
