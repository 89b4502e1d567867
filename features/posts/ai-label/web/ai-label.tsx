import type { AiLabelView } from '#ai-label/contract.ts'
import { useWords } from '#base/web/words.tsx'

type AiMarkProps = {
  label: AiLabelView
  /** In a list, with room for two letters. */
  isShort?: boolean
}

/** The label of AI-generated content, with its origin. Programs read the attribute. */
export function AiMark({ label, isShort = false }: AiMarkProps) {
  const words = useWords('aiLabel')
  if (!label) return null
  return (
    <span className="mark" data-ai-generated={label} title={words(label === 'author' ? 'labelledByAuthor' : 'labelledByStaff')}>
      {isShort ? (
        <>
          <span aria-hidden="true">{words('markShort')}</span>
          <span className="hidden">{words('mark')}</span>
        </>
      ) : (
        words('mark')
      )}
    </span>
  )
}
