import type { PlaceComponents, Places } from '#base/web/places.tsx'
import { Favourite } from '#favourite/web/favourite.tsx'
import { useMine } from '#post/web/post.tsx'

export const places: PlaceComponents = {
  'thread.actions': FavouriteOfThread,
}

function FavouriteOfThread({ topic: { id, favouriteCount } }: Places['thread.actions']) {
  return <Favourite topicId={id} count={favouriteCount} isMine={useMine()?.isFavourite ?? null} />
}
