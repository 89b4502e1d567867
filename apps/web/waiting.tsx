import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'

/** In the place of a screen that the browser fills. Where no script runs, it says why nothing follows. */
export function Waiting() {
  const words = useWords('site')
  return (
    <div className="column">
      <noscript>
        <p className="note">{words('needsScript')}</p>
      </noscript>
      <Skeleton />
    </div>
  )
}
