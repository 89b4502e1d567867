import type { AiLabelView } from '#ai-label/contract.ts'
import { useWords } from '#base/web/words.tsx'

type AiMarkProps = {
  label: AiLabelView
  /** In a list, where there is room for two letters. */
  isShort?: boolean
}

/** Says that a post contains AI-generated content, and who says so. Programs read the attribute. */
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
