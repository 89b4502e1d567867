import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { useWords } from '#base/web/words.tsx'
import type { threadNews } from '#comment/reading-contract.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import css from '#comment/web/reading/reading.module.css'

// One's own comment is on the page before this delay ends, and is not announced.
const delayMs = 1_000

/** Announces new comments without moving the text. They load on click. */
export function NewComments({ show }: { show: (floor: number) => void }) {
  const { topic } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const announced = useAnnouncedFloors(topic.id, topic.floors)
  const count = announced - topic.floors
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
function useAnnouncedFloors(topicId: string, lastFloor: number): number {
  const api = useApi()
  const [announced, setTold] = useState(0)
  const latest = useRef(0)
  const known = useEffectEvent(() => Math.max(latest.current, lastFloor))
  useEffect(() => {
    const left = new AbortController()
    function tell({ floors }: { floors: number }): void {
      latest.current = floors
      setTimeout(() => left.signal.aborted || setTold(latest.current), delayMs)
    }
    const subscription = { input: { topicId }, lastId: () => String(known()), onUpdate: tell, signal: left.signal }
    listenThroughLeader<typeof threadNews>(api, '/comment/news', `thread ${topicId}`, subscription).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, topicId])
  return announced
}
