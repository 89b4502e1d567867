import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import { linkColumns, linkView } from '#topic/server/link.ts'
import { isPublished, isUnpinned } from '#topic/server/listed.ts'

const shown = 8
const hottest = 300

/** How much a topic is talked of and looked at, less with every hour since it was published; nothing once it was sunk. Takes the counts as they will be. */
export function heatOf(settings: Settings, comments: RawBuilder<number>, views: RawBuilder<number>): RawBuilder<number> {
  const { heatPerComment, heatPerView, heatGravity } = settings
  const warmth = sql`greatest(${comments} * ${heatPerComment}::float8 + ${views} * ${heatPerView}::float8 - 1, 0)`
  const hours = sql`greatest(extract(epoch from clock_timestamp() - topic.published_at)::float8 / 3600, 0)`
  return sql<number>`case when topic.sunk_at is null then ${warmth} / power(${hours} + 2, ${heatGravity}::float8) else 0 end`
}

/** The eight hottest topics this viewer may see, pinned ones apart. */
export async function hottestFor(db: Db, viewer: Viewer): Promise<TopicLinkView[]> {
  const rows = await db
    .selectFrom('topic')
    .select(linkColumns)
    .where(isPublished)
    .where(isUnpinned)
    .where('heat', '>', 0)
    .where(tag.within(viewer.where('topic.view')))
    .orderBy('heat', 'desc')
    .orderBy('id', 'desc')
    .limit(shown)
    .execute()
  return rows.map(linkView)
}

/** Lets the hottest topics cool. The others are colder than these whatever the hour, until somebody comes to them. */
export async function cool(tx: Db): Promise<void> {
  const settings = await setting.all(tx)
  await tx
    .updateTable('topic')
    .set({ heat: heatOf(settings, sql`topic.comment_count`, sql`topic.view_count`) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('topic')
        .select('id')
        .where(isPublished)
        .where(isUnpinned)
        .where('heat', '>', 0)
        .orderBy('heat', 'desc')
        .limit(hottest),
    )
    .execute()
}
