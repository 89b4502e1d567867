import type { PlaceComponents } from '#base/web/places.tsx'
import { PollFacts, PollOfTopic } from '#poll/admin/poll.tsx'

export const places: PlaceComponents = {
  'topic.page': ({ topic }) => topic.parts.poll && <PollOfTopic key={`poll ${topic.id}`} topicId={topic.id} poll={topic.parts.poll} />,
  'review.post': ({ post }) => post.kind === 'topic' && post.parts.poll && <PollFacts poll={post.parts.poll} results={null} />,
}
