import { partTexts } from '#assistant/admin/part-texts.ts'
import type { RequestPart } from '#assistant/protocols.ts'
import { useWords } from '#base/web/words.tsx'

/** Parts of requests that a model is asked without. */
export function PartMarks({ label, parts }: { label: string; parts: readonly RequestPart[] }) {
  const words = useWords('assistantAdmin')
  if (parts.length === 0) return null
  return (
    <p className="meta">
      {label}{' '}
      {parts.map((part) => (
        <span key={part} className="mark">
          {words(partTexts[part])}
        </span>
      ))}
    </p>
  )
}
