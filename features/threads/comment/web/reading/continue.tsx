import { useState } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { useThread } from '#comment/web/thread-context.tsx'
import { highestFloorSeen } from '#comment/web/reading/scroll-anchor.ts'
import css from '#comment/web/reading/reading.module.css'

/** Offers to continue at the read position, on entry at the top of the thread. */
export function Continue({ before, jump }: { before: number | null; jump: (floor: number) => void }) {
  const words = useWords('comment')
  const { topic } = useThread()
  const { key } = useLocation()
  const [entered] = useState({ key, startsAtTop: !/[?&](commentId|replyId|floor|page)=/.test(location.search) })
  const [isDeclined, setDeclined] = useState(false)
  const floor = (before ?? 0) + 1
  if (!before || floor > topic.floors || isDeclined || !entered.startsAtTop || entered.key !== key || highestFloorSeen() >= floor)
    return null
  return (
    <div className={css.pill}>
      <button type="button" onClick={() => jump(floor)}>
        {words('continueAt', { floor, count: topic.floors - before })}
        <Icon name="down" size={16} />
      </button>
      <button type="button" aria-label={words('stayHere')} onClick={() => setDeclined(true)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}
