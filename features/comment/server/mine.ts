import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { myThread } from '#comment/contract.ts'
import * as may from '#comment/server/may.ts'
import * as reading from '#comment/server/reading.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

type Asked = Taken<typeof myThread>
type Kind = 'comment' | 'reply'

const mostReplies = 2_000

/** What this member may do on a page of a topic, in one small answer beside the public bodies that are the same for everyone. */
export async function mine(db: Db, member: Member, { topicId, commentIds }: Asked): Promise<Output<typeof myThread>> {
  const topic = await topics.findOwn(db, member, topicId)
  const [comments, replies, readTo, newcomer, hasWaiting] = await Promise.all([
    commentIds.length === 0 ? [] : shownComments(db, topicId, commentIds),
    commentIds.length === 0 ? [] : shownReplies(db, topicId, commentIds),
    reading.readTo(db, member, topicId),
    writing.newcomer(db, member),
    writing.anyOpen(db, topicId, member.id),
  ])
  return {
    can: {
      edit: topics.mayEdit(member, topic),
      remove: topics.mayRemove(member, topic),
      comment: topic.takesComments && may.post(member, 'comment', topic),
      reply: topic.takesComments && may.post(member, 'reply', topic),
    },
    comments: allowed(member, 'comment', topic, comments),
    replies: allowed(member, 'reply', topic, replies),
    readTo,
    newcomer,
    hasWaiting,
  }
}

function shownComments(db: Db, topicId: string, commentIds: readonly string[]) {
  return db
    .selectFrom('comment')
    .select(['id', 'author_id'])
    .where('id', 'in', commentIds)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .execute()
}

function shownReplies(db: Db, topicId: string, commentIds: readonly string[]) {
  return db
    .selectFrom('reply')
    .select(['id', 'author_id'])
    .where('comment_id', 'in', commentIds)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .limit(mostReplies)
    .execute()
}

function allowed(member: Member, kind: Kind, topic: topics.Topic, rows: readonly { id: string; author_id: string }[]) {
  const ids = (rule: typeof may.edit) => rows.filter((row) => rule(member, kind, topic, row.author_id)).map((row) => row.id)
  return { edit: ids(may.edit), remove: ids(may.remove) }
}
