import type { FeedData } from '#apps/web/feed-threads.tsx'
import { useIdlePart } from '#base/web/lazy-part.ts'
import { Skeleton } from '#base/web/states.tsx'
import type { TagList } from '#tag/web/tag.tsx'

/** A member's feed, loaded on demand because most readers are visitors. */
export function Feed({ of: followed, list }: { of: FeedData; list: TagList }) {
  const part = useIdlePart(() => import('#apps/web/feed-threads.tsx'), true)
  return part ? <part.FeedThreads of={followed} list={list} /> : <Skeleton lines={12} />
}
