import { useEffect } from 'react'
import { useIdle, useIdlePart } from '#base/web/lazy-part.ts'
import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { translator } from '#post/web/post.tsx'
import { useSite } from '#setting/web/setting.tsx'

export const places: PlaceComponents = {
  'thread.tools': SummaryButtons,
  'thread.belowPost': ThreadHelp,
}

function SummaryButtons({ topic, readTo }: Places['thread.tools']) {
  const part = useThreadPart()
  return part && <part.SummaryButtons key={topic.id} topic={topic} readTo={readTo} />
}

/** The place of a summary. While it is there, posts can be translated. */
function ThreadHelp({ topic }: Places['thread.belowPost']) {
  const part = useThreadPart()
  useEffect(() => {
    translator.set(part?.translator ?? null)
    return () => translator.set(null)
  }, [part])
  return part && <part.SummaryPlace topicId={topic.id} />
}

/** The tools for a thread, once the page is idle, for members who may use the assistant. */
function useThreadPart() {
  const { allowChat } = useSite().aiAssistantParameter
  const part = useIdlePart(() => import('#assistant/web/thread.tsx'), useIdle() && allowChat)
  return allowChat ? part : null
}
