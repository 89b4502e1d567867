import type { WritingHelpProps } from '#base/web/assistant.ts'
import { useLater } from '#base/web/lazy-part.ts'

/** The assistant's tools for the author of a text. They load after the form. */
export function WritingHelp(props: WritingHelpProps) {
  const part = useLater(() => import('#assistant/web/writing-help.tsx'), true)
  return part && <part.WritingHelp {...props} />
}
