import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import type { Member } from '#base/server/http/route.ts'
import type { myThread } from '#comment/contract.ts'
import { mineSources } from '#comment/server/post-parts.ts'
import * as reading from '#comment/server/reading.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'
import { traits, type RemarkKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'

type MyThreadParams = ParsedInput<typeof myThread>

const maxReplies = 2_000

/** The state of a page of a topic for one member: a small response beside the public bodies, which are the same for all. */
export async function mine(db: Db, member: Member, params: MyThreadParams): Promise<Output<typeof myThread>> {
  const settings = await setting.all(db)
  const topic = posts.requireVisible(member, await readPage(db, member, settings, params))
  const kinds = traits[topic.kind]
  const mayEdit = setting.isOpen(settings, kinds.comment.allowEdits)
  const mayRemove = settings.siteState === 'open'
  return {
    can: {
      edit: setting.isOpen(settings, kinds.topic.allowEdits) && posts.mayEdit(member, posts.openingOf(topic)),
      remove: mayRemove && posts.mayRemove(member, posts.openingOf(topic)),
      comment: setting.isOpen(settings, kinds.comment.allow) && topic.takesComments && posts.mayPost(member, 'comment', topic),
      reply: setting.isOpen(settings, kinds.reply.allow) && topic.takesComments && posts.mayPost(member, 'reply', topic),
    },
    comments: allowedIds(member, { kind: 'comment', topic, rows: topic.comments, mayEdit, mayRemove }),
    replies: allowedIds(member, {
      kind: 'reply',
      topic,
      rows: topic.replies,
      mayEdit: setting.isOpen(settings, kinds.reply.allowEdits),
      mayRemove,
    }),
    readTo: topic.readTo,
    newcomer: writing.newcomerView(settings, member, topic.isNew ?? false),
    hasWaiting: topic.hasWaiting,
    ...topic.fields,
  }
}

type Row = { id: string; author_id: string }

type PageOf = {
  topicId: string
  memberId: string
  commentIds: readonly string[]
  mayChangeOthers: boolean
  newMemberDays: number
  newMemberPosts: number
}

/** The topic and all of the member's state on a page of it, in one statement. */
const pageOf = statement((db, page: Parameters<PageOf>) => {
  const { topicId, memberId } = page
  return posts.threadById(db, topicId).select((row) => [
    reading.readFloor(db, memberId, topicId).as('readTo'),
    db.selectFrom('member').select(writing.isNew(page).as('isNew')).where('id', '=', memberId).as('isNew'),
    row
      .exists(writing.openReviewsIn(db, topicId, memberId))
      .$castTo<boolean>()
      .as('hasWaiting'),
    mineSources(db, page).as('fields'),
    editableRows(page, commentShown).as('comments'),
    editableRows(page, repliesShown).as('replies'),
  ])
})

// The limits keep the planner from a plan that reads all posts of the topic.
const commentShown = sql`select id, topic_id, author_id, status from comment where comment.id = asked.id limit 1`
const repliesShown = sql`select id, topic_id, author_id, status from reply where reply.comment_id = asked.id order by id limit ${maxReplies}`

/** For moderators all posts on the page may be editable, for others only their own. */
function editableRows(
  { topicId, memberId, commentIds, mayChangeOthers }: Parameters<PageOf>,
  visibleRows: RawBuilder<unknown>,
): RawBuilder<Row[]> {
  return sql<Row[]>`(
    select coalesce(json_agg(json_build_object('id', shown.id::text, 'author_id', shown.author_id::text)), '[]')
    from unnest(${commentIds}::bigint[]) as asked(id), lateral (${visibleRows}) as shown
    where shown.topic_id = ${topicId} and shown.status = 'published' and (${mayChangeOthers} or shown.author_id = ${memberId})
  )`
}

async function readPage(db: Db, member: Member, { newMemberDays, newMemberPosts }: Settings, { topicId, commentIds }: MyThreadParams) {
  const ids = { topicId, memberId: member.id, commentIds: [...new Set(commentIds)] }
  const [page] = await pageOf(db, { ...ids, mayChangeOthers: posts.mayChangeOthers(member), newMemberDays, newMemberPosts })
  return page
}

type PostRules = {
  kind: RemarkKind
  topic: posts.Thread
  rows: readonly Row[]
  /** Whether the site allows edits at present. */
  mayEdit: boolean
  mayRemove: boolean
}

function allowedIds(member: Member, { kind, topic, rows, mayEdit, mayRemove }: PostRules) {
  const ids = (rule: typeof posts.mayEdit) =>
    rows.filter((row) => rule(member, { kind, authorId: row.author_id, thread: topic })).map((row) => row.id)
  return { edit: mayEdit ? ids(posts.mayEdit) : [], remove: mayRemove ? ids(posts.mayRemove) : [] }
}
