import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { useWords } from '#base/web/words.tsx'
import type { threadNews } from '#comment/reading-contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import css from '#comment/web/reading/reading.module.css'

// One's own comment is on the page before this delay ends, and is not announced.
const patienceMs = 1_000

/** Announces new comments without moving the text. They load on click. */
export function News({ show }: { show: (floor: number) => void }) {
  const { topic } = useDesk()
  const words = useWords('comment', { of: topic.kind })
  const told = useFloorsTold(topic.id, topic.floors)
  const count = told - topic.floors
  return (
    <div aria-live="polite">
      {count > 0 && (
        <button type="button" className={css.pill} data-kind="news" onClick={() => show(topic.floors + 1)}>
          {words('news', { count })}
        </button>
      )}
    </div>
  )
}

/** The highest announced floor. */
function useFloorsTold(topicId: string, shown: number): number {
  const api = useApi()
  const [told, setTold] = useState(0)
  const heard = useRef(0)
  const known = useEffectEvent(() => Math.max(heard.current, shown))
  useEffect(() => {
    const left = new AbortController()
    function tell({ floors }: { floors: number }): void {
      heard.current = floors
      setTimeout(() => left.signal.aborted || setTold(heard.current), patienceMs)
    }
    const wish = { input: { topicId }, known: () => String(known()), tell, signal: left.signal }
    listenThroughLeader<typeof threadNews>(api, '/comment/news', `thread ${topicId}`, wish).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, topicId])
  return told
}
