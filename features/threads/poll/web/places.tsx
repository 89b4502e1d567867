import type { PlaceComponents } from '#base/web/places.tsx'
import { Poll } from '#poll/web/poll.tsx'

export const places: PlaceComponents = {
  'thread.belowText': ({ topic }) => topic.parts.poll && <Poll key={topic.id} topicId={topic.id} poll={topic.parts.poll} />,
}
