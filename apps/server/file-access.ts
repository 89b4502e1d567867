import { sql, type RawBuilder } from 'kysely'
import { ownerOfSession } from '#account/server/session-owner.ts'
import * as token from '#account/server/token.ts'
import { anyOf, type Database, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { AccessRules } from '#file/server/access.ts'
import type { InThread, FileUse } from '#file/server/public-files.ts'
import * as message from '#message/server/message.ts'
import { staffInSession } from '#staff/server/session.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { kinds, type Kind, type RemarkKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'

/** The access rules of files, which depend on features later in the order. */
export function fileAccess({ app }: Database): AccessRules {
  return {
    visitor: () => token.visitor(app),
    inSession: (sessionId) => (sessionId.startsWith('s') ? staffInSession(app, sessionId.slice(1)) : ownerOfSession(app, sessionId)),
    seen,
  }
}

/** The uses in which the viewer sees the file. A file in a private message opens to its two members only, and not to staff. */
async function seen(db: Db, viewer: Viewer, places: readonly FileUse[]): Promise<readonly FileUse[]> {
  const inMessages = places.filter((place) => 'messageId' in place)
  const [threads, has] = await Promise.all([
    seenInThreads(
      db,
      viewer,
      places.filter((place) => 'topicId' in place),
    ),
    message.shownAmong(
      db,
      viewer,
      inMessages.map(({ messageId }) => messageId),
    ),
  ])
  return [...threads, ...inMessages.filter(({ messageId }) => has.has(messageId))]
}

/**
 * The uses in which the viewer sees the file: the topic is visible, the comment or reply is published, and the file is in a part that the
 * viewer may read. A reply is visible without its comment, and a bought hidden part wherever its post is.
 */
async function seenInThreads(db: Db, viewer: Viewer, places: readonly InThread[]): Promise<readonly InThread[]> {
  const inParts = new Set(places.filter(({ partId }) => partId !== null))
  // Staff with this right see the pictures of removed posts.
  const looksAnywhere = viewer.staff?.may('content.view') ?? false
  const partIds = [...inParts].flatMap(({ partId }) => partId ?? [])
  const [parts, bought, topics, comments, replies] = await Promise.all([
    hiddenPart.visibleAmong(db, viewer, partIds),
    hiddenPart.boughtAmong(db, viewer.id, partIds),
    topicsSeen(db, viewer, idsOf(places, 'topicId')),
    standing(db, 'comment', idsOf(places, 'commentId')),
    standing(db, 'reply', idsOf(places, 'replyId')),
  ])
  const open = places.filter(({ partId }) => partId === null || parts.has(partId))
  if (looksAnywhere) return open
  const standingOnes = open.filter(
    ({ topicId, commentId, replyId, partId }) =>
      bought.has(partId ?? '') ||
      (topics.has(topicId) && (replyId !== null ? replies.has(replyId) : commentId === null || comments.has(commentId))),
  )
  const ofVersions = standingOnes.filter((place) => !inParts.has(place))
  const withheldPlaces = await Promise.all(kinds.map((kind) => withheld(db, kind, ofVersions)))
  return standingOnes.filter((place) => !withheldPlaces.some((some) => some.has(place)))
}

/** The uses where the file occurs only in content that members may not read: withheld versions, and removed postscripts of a question. */
async function withheld(db: Db, kind: Kind, places: readonly InThread[]): Promise<Set<InThread>> {
  const its = places.filter((place) => kindOf(place) === kind)
  if (its.length === 0) return new Set()
  const [revision, ofPost] = [sql.table(`${kind}_revision`), sql.ref(`revision.${kind}_id`)]
  const shows = (body: string) =>
    sql`jsonb_path_exists(${sql.ref(body)}, '$.**.file ? (@ == $id)', jsonb_build_object('id', asked.file_id))`
  const ofQuestion = kind === 'topic' ? postscriptOf(shows) : { isShown: sql`false`, isOff: sql`false`, isWithdrawn: sql`false` }
  const { rows } = await sql<{ number: number }>`
    select asked.number::int from unnest(${its.map(({ fileId }) => fileId)}::text[], ${its.map(postOf)}::bigint[])
      with ordinality as asked(file_id, post_id, number)
    join ${sql.table(kind)} as post on post.id = asked.post_id
    where ${ofQuestion.isWithdrawn} or (
      (${ofQuestion.isOff} or exists (select from ${revision} as revision where ${ofPost} = post.id and is_withheld))
      and not ${shows('post.body')} and not ${ofQuestion.isShown}
      and not exists (select from ${revision} as revision where ${ofPost} = post.id and not is_withheld and ${shows('revision.body')}))`.execute(
    db,
  )
  const numbers = new Set(rows.map(({ number }) => number))
  return new Set(its.filter((_, index) => numbers.has(index + 1)))
}

/** Postscripts of a question, shown or removed; all of them are hidden while the question is withdrawn. */
function postscriptOf(shows: (body: string) => RawBuilder<unknown>) {
  return {
    isShown: sql`exists (select from postscript where postscript.topic_id = post.id and removed_at is null and ${shows('postscript.body')})`,
    isOff: sql`exists (select from postscript where postscript.topic_id = post.id and removed_at is not null)`,
    isWithdrawn: sql`post.withdrawn_at is not null`,
  }
}

function kindOf({ commentId, replyId }: InThread): Kind {
  if (replyId !== null) return 'reply'
  return commentId === null ? 'topic' : 'comment'
}

function postOf({ topicId, commentId, replyId }: InThread): string {
  return replyId ?? commentId ?? topicId
}

async function topicsSeen(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('topic').select(['id', 'tag_id', 'author_id', 'status']).where('id', '=', anyOf(ids)).execute()
  const open = rows.filter(({ tag_id, author_id, status }) => posts.mayView(viewer, { tagId: tag_id, authorId: author_id, status }))
  return new Set(open.map(({ id }) => id))
}

async function standing(db: Db, table: RemarkKind, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom(table).select('id').where('id', '=', anyOf(ids)).where('status', '=', 'published').execute()
  return new Set(rows.map(({ id }) => id))
}

function idsOf(places: readonly InThread[], name: 'topicId' | 'commentId' | 'replyId'): string[] {
  return [...new Set(places.flatMap((place) => place[name] ?? []))]
}
