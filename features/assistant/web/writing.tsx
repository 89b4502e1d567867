import { useLater } from '#base/web/later.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { WritingHelpProps } from '#assistant/web/writing-help.tsx'

/** The assistant's tools for the author of a thread, for members who may ask it. They load after the form. */
export function WritingHelp(props: WritingHelpProps) {
  const { allowChat } = useSite().aiAssistantParameter
  const part = useLater(() => import('#assistant/web/writing-help.tsx'), allowChat)
  return allowChat && part && <part.WritingHelp {...props} />
}
