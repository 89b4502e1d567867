import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { myThread } from '#comment/contract.ts'
import * as favourite from '#favourite/server/favourite.ts'
import * as follow from '#follow/server/follow.ts'
import * as like from '#like/server/like.ts'
import * as reading from '#comment/server/reading.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'
import { traits, type RemarkKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'

type MyThreadParams = ParsedInput<typeof myThread>

const mostReplies = 2_000

/** The state of a page of a topic for one member: a small response beside the public bodies, which are the same for all. */
export async function mine(db: Db, member: Member, asked: MyThreadParams): Promise<Output<typeof myThread>> {
  const settings = await setting.all(db)
  const topic = posts.seen(member, await readPage(db, member, settings, asked))
  const its = traits[topic.kind]
  const mayEdit = setting.isOpen(settings, its.comment.allowEdits)
  const mayRemove = settings.siteState === 'open'
  return {
    can: {
      edit: setting.isOpen(settings, its.topic.allowEdits) && posts.mayEdit(member, posts.openingOf(topic)),
      remove: mayRemove && posts.mayRemove(member, posts.openingOf(topic)),
      comment: setting.isOpen(settings, its.comment.allow) && topic.takesComments && posts.mayPost(member, 'comment', topic),
      reply: setting.isOpen(settings, its.reply.allow) && topic.takesComments && posts.mayPost(member, 'reply', topic),
    },
    comments: allowed(member, { kind: 'comment', topic, rows: topic.comments, mayEdit, mayRemove }),
    replies: allowed(member, {
      kind: 'reply',
      topic,
      rows: topic.replies,
      mayEdit: setting.isOpen(settings, its.reply.allowEdits),
      mayRemove,
    }),
    readTo: topic.readTo,
    newcomer: writing.newcomerView(settings, member, topic.isNew ?? false),
    hasWaiting: topic.hasWaiting,
    liked: topic.liked,
    isFavourite: topic.isFavourite,
    follows: topic.follows,
  }
}

type Row = { id: string; author_id: string }

/** The topic and all of the member's state on a page of it, in one statement. */
function readPage(db: Db, member: Member, settings: Settings, asked: MyThreadParams) {
  return posts
    .threadById(db, asked.topicId)
    .select((row) => [
      reading.floorRead(db, member, asked.topicId).as('readTo'),
      db.selectFrom('member').select(writing.isNew(settings).as('isNew')).where('id', '=', member.id).as('isNew'),
      row
        .exists(writing.openUnder(db, asked.topicId, member.id))
        .$castTo<boolean>()
        .as('hasWaiting'),
      like.likedBy(member, asked).as('liked'),
      favourite.isKeptBy(member, asked.topicId).as('isFavourite'),
      follow.followsAt(member).as('follows'),
      rowsOf(member, asked, commentShown).as('comments'),
      rowsOf(member, asked, repliesShown).as('replies'),
    ])
    .executeTakeFirst()
}

// The limits keep the planner from a plan that reads all posts of the topic.
const commentShown = sql`select id, topic_id, author_id, status from comment where comment.id = asked.id limit 1`
const repliesShown = sql`select id, topic_id, author_id, status from reply where reply.comment_id = asked.id order by id limit ${mostReplies}`

/** For moderators all posts on the page may be editable, for others only their own. */
function rowsOf(member: Member, { topicId, commentIds }: MyThreadParams, shown: RawBuilder<unknown>): RawBuilder<Row[]> {
  return sql<Row[]>`(
    select coalesce(json_agg(json_build_object('id', shown.id::text, 'author_id', shown.author_id::text)), '[]')
    from unnest(${[...new Set(commentIds)]}::bigint[]) as asked(id), lateral (${shown}) as shown
    where shown.topic_id = ${topicId} and shown.status = 'published' and (${posts.mayChangeOthers(member)} or shown.author_id = ${member.id})
  )`
}

type ShownPosts = {
  kind: RemarkKind
  topic: posts.Thread
  rows: readonly Row[]
  /** Whether the site allows edits at present. */
  mayEdit: boolean
  mayRemove: boolean
}

function allowed(member: Member, { kind, topic, rows, mayEdit, mayRemove }: ShownPosts) {
  const ids = (rule: typeof posts.mayEdit) =>
    rows.filter((row) => rule(member, { kind, authorId: row.author_id, thread: topic })).map((row) => row.id)
  return { edit: mayEdit ? ids(posts.mayEdit) : [], remove: mayRemove ? ids(posts.mayRemove) : [] }
}
