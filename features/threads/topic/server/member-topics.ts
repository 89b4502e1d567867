import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { memberTopics } from '#topic/contract.ts'
import { cards } from '#topic/server/card.ts'
import { maxPages } from '#topic/server/list.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import { isNotDeleted, isPublished } from '#topic/server/listed.ts'

/** A member's topics that this viewer may see, newest first; pending topics are for the author only. */
export async function list(
  db: Db,
  viewer: Viewer,
  { userId, page, kind }: ParsedInput<typeof memberTopics>,
): Promise<Output<typeof memberTopics>> {
  const [author, { topicsPerPage }] = await Promise.all([user.activityOwner(db, viewer, userId), setting.all(db)])
  const visibleTopics = () =>
    db
      .selectFrom('topic')
      .select('id')
      .where('author_id', '=', author.id)
      .where('kind', '=', kind)
      .where(author.id === viewer.id ? isNotDeleted : isPublished)
      .where(tag.seenBy(viewer))
  const { count } = await db
    .selectFrom(
      visibleTopics()
        .limit(maxPages * topicsPerPage)
        .as('shown'),
    )
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const total = Number(count)
  const { pages } = pagePosition(total, page, topicsPerPage)

  const rows = await visibleTopics()
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(topicsPerPage)
    .offset((page - 1) * topicsPerPage)
    .execute()
  const ids = rows.map((row) => row.id)
  const [topics, rejected] = await Promise.all([cards(db, ids), writing.rejectedIds(db, 'topic', ids)])
  return {
    topics: topics.map((topic) => ({ ...topic, isRejected: rejected.has(topic.id) })),
    total,
    page,
    pages,
    user: author,
  }
}
