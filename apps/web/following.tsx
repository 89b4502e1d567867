import type { Followed } from '#apps/web/followed-threads.tsx'
import { useIdlePart } from '#base/web/later.ts'
import { Skeleton } from '#base/web/states.tsx'
import type { TagList } from '#tag/web/tag.tsx'

/** A member's feed, loaded on demand because most readers are visitors. */
export function Following({ of: followed, list }: { of: Followed; list: TagList }) {
  const part = useIdlePart(() => import('#apps/web/followed-threads.tsx'), true)
  return part ? <part.FollowedThreads of={followed} list={list} /> : <Skeleton lines={12} />
}
