import { useState } from 'react'
import { isForeign } from '#assistant/web/foreign.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { MenuButton } from '#base/web/menu.tsx'
import { createStore } from '#base/web/store.ts'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Translator } from '#post/web/post.tsx'

/** Fewer comments are read as quickly as their summary. */
const minComments = 3

type UnreadSummaryParams = { topicId: string; readTo: number | null; number: number }

const requestedSummary = createStore<UnreadSummaryParams | null>(null)

type Thread = {
  topic: { id: string; floors: number; commentCount: number }
  /** My read position; null for a first visit. */ readTo: number | null
}

/** Buttons for a summary of a thread, and of its unread part. */
export function SummaryButtons({ topic, readTo }: Thread) {
  const words = useWords('assistant')
  // Reading on does not change the unread part of this visit.
  const [before] = useState(readTo)
  const isNew = before !== null && before > 0 && before < topic.floors
  if (topic.commentCount < minComments) return null
  const request = (from: number | null) =>
    requestedSummary.set({ topicId: topic.id, readTo: from, number: (requestedSummary.get()?.number ?? 0) + 1 })
  return (
    <>
      <button type="button" className="plain" onClick={() => request(null)}>
        {words('summarise')}
      </button>
      {isNew && (
        <button type="button" className="plain" onClick={() => request(before)}>
          {words('whatIsNew')}
        </button>
      )}
    </>
  )
}

/** The place of a summary. */
export function SummaryPlace({ topicId }: { topicId: string }) {
  const request = requestedSummary.use()
  const isWished = request?.topicId === topicId
  const part = useLater(
    () => import('#assistant/web/summary.tsx'),
    isWished,
    useCancelOnFailure(() => requestedSummary.set(null)),
  )
  if (!part || !isWished) return null
  return <part.Summary key={request.number} topicId={topicId} readTo={request.readTo} close={() => requestedSummary.set(null)} />
}

export const translator: Translator = {
  Item({ segments, isTranslated, turn }) {
    const words = useWords('assistant')
    const language = useLanguage()
    if (!isTranslated && !isForeign(segments, language)) return null
    return <MenuButton onClick={turn}>{words(isTranslated ? 'showOriginal' : 'translateHere')}</MenuButton>
  },
  Translation({ of, turn }) {
    const part = useLater(() => import('#assistant/web/translation.tsx'), true, useCancelOnFailure(turn))
    return part && <part.Translation of={of} turn={turn} />
  },
}

/** For a part that failed to load: cancels the request, and shows the error. */
function useCancelOnFailure(giveUp: () => void): () => void {
  const words = useWords('call')
  return () => {
    giveUp()
    toast(words('offline'))
  }
}
