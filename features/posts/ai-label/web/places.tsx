import { AiMark } from '#ai-label/web/ai-label.tsx'
import type { PlaceComponents } from '#base/web/places.tsx'

export const places: PlaceComponents = {
  'thread.by': ({ topic }) => <AiMark label={topic.aiLabel} />,
  'remark.by': ({ post }) => <AiMark label={post.aiLabel} />,
}
