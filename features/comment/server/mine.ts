import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { myThread } from '#comment/contract.ts'
import * as may from '#comment/server/may.ts'
import * as reading from '#comment/server/reading.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

type Asked = Taken<typeof myThread>
type Kind = 'comment' | 'reply'

const mostReplies = 2_000

/** What this member may do on a page of a topic, in one small answer beside the public bodies that are the same for everyone. */
export async function mine(db: Db, member: Member, { topicId, commentIds }: Asked): Promise<Output<typeof myThread>> {
  const topic = await topics.findOwn(db, member, topicId)
  const [settings, comments, replies, readTo, newcomer, hasWaiting] = await Promise.all([
    setting.all(db),
    commentIds.length === 0 ? [] : shownComments(db, topicId, commentIds),
    commentIds.length === 0 ? [] : shownReplies(db, topicId, commentIds),
    reading.readTo(db, member, topicId),
    writing.newcomer(db, member),
    writing.anyOpen(db, topicId, member.id),
  ])
  const open = setting.openOf(settings)
  const mayRemove = settings.siteState === 'open'
  return {
    can: {
      edit: open.topicEdits && topics.mayEdit(member, topic),
      remove: mayRemove && topics.mayRemove(member, topic),
      comment: open.comments && topic.takesComments && may.post(member, 'comment', topic),
      reply: open.replies && topic.takesComments && may.post(member, 'reply', topic),
    },
    comments: allowed(member, { kind: 'comment', topic, rows: comments, mayEdit: open.comments, mayRemove }),
    replies: allowed(member, { kind: 'reply', topic, rows: replies, mayEdit: open.replies, mayRemove }),
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

type Shown = {
  kind: Kind
  topic: topics.Topic
  rows: readonly { id: string; author_id: string }[]
  /** Whether the site takes it now. */
  mayEdit: boolean
  mayRemove: boolean
}

function allowed(member: Member, { kind, topic, rows, mayEdit, mayRemove }: Shown) {
  const ids = (rule: typeof may.edit) => rows.filter((row) => rule(member, kind, topic, row.author_id)).map((row) => row.id)
  return { edit: mayEdit ? ids(may.edit) : [], remove: mayRemove ? ids(may.remove) : [] }
}
