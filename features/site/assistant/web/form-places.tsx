import { useLater } from '#base/web/lazy-part.ts'
import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { useSite } from '#setting/web/setting.tsx'

export const places: PlaceComponents = {
  'editor.tools': WritingHelp,
}

/** The assistant's tools for the author of a text, who may use it. They load after the form. */
function WritingHelp(props: Places['editor.tools']) {
  const { allowChat } = useSite().aiAssistantParameter
  const part = useLater(() => import('#assistant/web/writing-help.tsx'), allowChat)
  return allowChat && part && <part.WritingHelp {...props} />
}
