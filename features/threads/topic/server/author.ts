import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as tag from '#tag/server/tag.ts'
import type { topicAuthor } from '#topic/similar-contract.ts'
import { linkColumns, linkView } from '#topic/server/topic-link.ts'
import { isPublished } from '#topic/server/listed.ts'
import * as user from '#user/server/user.ts'
import * as posts from '#post/server/post.ts'

const maxTopics = 5

/** The author of a topic and their other recent topics that this viewer may see. */
export async function show(db: Db, viewer: Viewer, topicId: string): Promise<Output<typeof topicAuthor>> {
  const { authorId } = await posts.cachedThread(db, viewer, topicId)
  const [person, others] = await Promise.all([user.person(db, viewer, authorId), othersBy(db, viewer, authorId, topicId)])
  return { ...person, topics: person.counts ? others : [] }
}

async function othersBy(db: Db, viewer: Viewer, authorId: string, topicId: string) {
  const rows = await db
    .selectFrom('topic')
    .select(linkColumns)
    .where('author_id', '=', authorId)
    .where(isPublished)
    .where('id', '<>', topicId)
    .where(tag.seenBy(viewer))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxTopics)
    .execute()
  return rows.map(linkView)
}
