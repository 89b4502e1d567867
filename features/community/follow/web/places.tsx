import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { FollowControl } from '#follow/web/follow.tsx'
import { useMine } from '#post/web/post.tsx'

export const places: PlaceComponents = {
  'thread.actions': FollowThread,
}

function FollowThread({ topic: { id } }: Places['thread.actions']) {
  return <FollowControl key={id} of="topic" id={id} level={useMine()?.follows.level ?? null} isPlain />
}
