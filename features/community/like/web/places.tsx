import type { PlaceComponents } from '#base/web/places.tsx'
import { Likes } from '#like/web/like.tsx'

export const places: PlaceComponents = {
  'thread.actions': ({ topic: { id, author, likeCount } }) => <Likes of={{ kind: 'topic', id, authorId: author.id }} count={likeCount} />,
  'remark.actions': ({ kind, post: { id, likeCount }, authorId }) => <Likes of={{ kind, id, authorId }} count={likeCount} />,
}
