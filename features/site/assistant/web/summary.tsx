import { useEffect, useEffectEvent } from 'react'
import type { summarise } from '#assistant/generated-contract.ts'
import { GeneratedTextActions, GeneratedTextView } from '#assistant/web/generated-text.tsx'
import { useGeneration } from '#assistant/web/generation.ts'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/generated.module.css'

type SummaryProps = { topicId: string; /** Only of posts after this floor. */ readTo: number | null; close: () => void }

/** A summary of a thread, rendered while it streams, with links to its floors. */
export function Summary({ topicId, readTo, close }: SummaryProps) {
  const words = useWords('assistant')
  const { making, begin, stop } = useGeneration<typeof summarise>('/assistant/summarise')
  const cutAt = making.made?.cutAt ?? null
  const ask = () => void begin({ topicId, ...(readTo !== null && { isNewOnly: true, readTo }) })
  const first = useEffectEvent(ask)
  useEffect(() => first(), [])
  return (
    <section className={css.box} aria-labelledby="summary">
      <header>
        <h2 id="summary">{words(readTo === null ? 'summary' : 'summaryOfNew')}</h2>
        <button type="button" className="icon" aria-label={words('closeSummary')} title={words('closeSummary')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <GeneratedTextView making={making} />
      {cutAt !== null && <p className={css.about}>{words('cutAt', { floor: cutAt })}</p>}
      <p className={css.actions}>
        <GeneratedTextActions making={making} stop={stop} retry={ask} />
      </p>
    </section>
  )
}
