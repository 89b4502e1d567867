import type { NotNull } from 'kysely'
import type { Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { timeline } from '#comment/reading-contract.ts'
import * as posts from '#post/server/post.ts'

const maxMarks = 100

/** The times of some comments, evenly spread over the floors, enough to estimate the date of any floor. */
export async function list(db: Db, viewer: Viewer, topicId: string): Promise<Output<typeof timeline>> {
  const { floors } = await posts.cachedThread(db, viewer, topicId)
  const rows = await db
    .selectFrom('comment')
    .select(['floor', 'published_at'])
    .where('topic_id', '=', topicId)
    .where('floor', '=', anyOf(sampleFloors(floors)))
    .orderBy('floor')
    .$narrowType<{ floor: NotNull }>()
    .execute()
  return { marks: rows.map(({ floor, published_at }) => ({ floor, at: published_at.toISOString() })) }
}

/** At most a hundred floors, evenly spread from the first to the last. */
export function sampleFloors(floors: number): number[] {
  const marks = Math.min(floors, maxMarks)
  if (marks < 2) return marks === 1 ? [1] : []
  return Array.from({ length: marks }, (_, index) => 1 + Math.round((index * (floors - 1)) / (marks - 1)))
}
