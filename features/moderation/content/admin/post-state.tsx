import type { AiLabelView } from '#ai-label/contract.ts'
import type { TopicRow } from '#content/list-contract.ts'
import type { State } from '#content/views.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#content/admin/content.module.css'

export function PostState({ state, reason }: { state: State; reason: string | null }) {
  const words = useWords('contentAdmin')
  if (state === 'published') return null
  return (
    <>
      <span className={`mark ${state === 'pending' || state === 'rejected' ? css.waits : css.gone}`}>{words(state)}</span>
      {reason && (
        <span className="meta">
          {' '}
          <bdi>{reason}</bdi>
        </span>
      )}
    </>
  )
}

export function AiLabelOf({ label }: { label: AiLabelView }) {
  const words = useWords('contentAdmin')
  if (!label) return null
  return <span className="mark">{words(label === 'author' ? 'labelledByAuthor' : 'labelledByStaff')}</span>
}

export function MarksOf({ marks }: { marks: TopicRow['marks'] }) {
  const words = useWords('contentAdmin')
  return marks.map((mark) => (
    <span key={mark} className="mark">
      {words(mark)}
    </span>
  ))
}
