import { useLater } from '#base/web/later.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { WritingHelpProps } from '#assistant/web/writing-help.tsx'

/** What the AI assistant does for who writes a thread, where they may ask it. It comes after the form. */
export function WritingHelp(props: WritingHelpProps) {
  const { allowChat } = useSite().aiAssistantParameter
  const part = useLater(() => import('#assistant/web/writing-help.tsx'), allowChat)
  return allowChat && part && <part.WritingHelp {...props} />
}
