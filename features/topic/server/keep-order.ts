import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import * as setting from '#setting/server/setting.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { wasChanged } from '#topic/server/changed.ts'
import { heatOf } from '#topic/server/heat.ts'
import type { Topic } from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

/** How a topic stands among the others, as staff decide. */
export type Order = { pin?: number; featuredAt?: Date | null; sunkAt?: Date | null; takesComments?: boolean }

export async function keepOrder(tx: Db, topic: Topic, { pin, featuredAt, sunkAt, takesComments }: Order): Promise<void> {
  await tx
    .updateTable('topic')
    .set({
      ...(pin !== undefined && { pin }),
      ...(featuredAt !== undefined && { featured_at: featuredAt }),
      ...(sunkAt !== undefined && { sunk_at: sunkAt }),
      ...(takesComments !== undefined && { takes_comments: takesComments }),
    })
    .where('id', '=', topic.id)
    .execute()
  if (sunkAt !== undefined) await warm(tx, topic.id)
  wasChanged(tx, topic)
  touch(tx, 'titles')
}

/** Moves a topic to another tag. What members wrote under it is to be moved in their counts, too. */
export async function move(tx: Db, topic: Topic, to: PlaceView): Promise<void> {
  await tx.updateTable('topic').set({ tag_id: to.id }).where('id', '=', topic.id).execute()
  if (topic.status === 'published') {
    await user.lost(tx, topic.authorId, topic.tagId, 'topics')
    await user.wrote(tx, topic.authorId, to.id, 'topics').execute()
    await tag.count(tx, topic.tagId, -1)
    await tag.count(tx, to.id, 1)
  }
  wasChanged(tx, topic)
  tag.touchLists(tx, to.id, to.parent?.id ?? null)
  touch(tx, 'titles')
}

async function warm(tx: Db, topicId: string): Promise<void> {
  const heat = heatOf(await setting.all(tx), sql`topic.comment_count`, sql`topic.view_count`)
  await tx.updateTable('topic').set({ heat }).where('id', '=', topicId).execute()
}
