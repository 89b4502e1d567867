import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import { type Kind, type ThreadKind } from '#kind/contract.ts'
import type { likers, likesOfTopic, myLikes } from '#like/contract.ts'
import * as posts from '#post/server/post.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

const perPage = 30

/** The members who like a post that this viewer may see. */
export async function likersOf(db: Db, viewer: Viewer, { kind, id, page }: ParsedInput<typeof likers>): Promise<Output<typeof likers>> {
  await posts.findPublished(db, viewer, kind, id)
  return members(db, { kind, id, page })
}

/** The members who like a member's own topic, without the access check for others. */
export async function likersOfMine(
  db: Db,
  member: Member,
  { topicId, page }: ParsedInput<typeof likesOfTopic>,
): Promise<Output<typeof likesOfTopic>> {
  const { id, kind, title, authorId } = await posts.findOwnThread(db, member, topicId)
  if (authorId !== member.id) throw Missing()
  return { ...(await members(db, { kind: 'topic', id, page })), topic: { id, thread: kind, title } }
}

async function members(db: Db, { kind, id, page }: { kind: Kind; id: string; page: number }): Promise<Output<typeof likers>> {
  const which = db.selectFrom('post_like').select(['member_id', 'at']).where('post_kind', '=', kind).where('post_id', '=', id)
  const { people, ...pages } = await user.peoplePage(db, which, page)
  return { members: people.map(({ member: its, at }) => ({ member: its, at })), ...pages }
}

type Row = {
  kind: Kind
  id: string
  at: Date
  topicId: string | null
  thread: ThreadKind | null
  title: string | null
  commentId: string | null
  excerpt: string
  authorId: string
}

/** The posts that this member likes; of those they may no longer see, only the time. */
export async function mine(db: Db, member: Member, { page }: ParsedInput<typeof myLikes>): Promise<Output<typeof myLikes>> {
  const { count } = await db
    .selectFrom('post_like')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Row>`
    select liked.post_kind as kind, liked.post_id as id, liked.at, topic.id as "topicId", topic.kind as thread, topic.title,
      coalesce(comment.id, reply.comment_id) as "commentId", coalesce(comment.text, reply.text, '') as excerpt,
      coalesce(comment.author_id, reply.author_id, topic.author_id) as "authorId"
    from (
      select * from post_like where member_id = ${member.id} order by at desc, post_id limit ${perPage} offset ${(page - 1) * perPage}
    ) as liked
    left join comment on liked.post_kind = 'comment' and comment.id = liked.post_id and comment.status = 'published'
    left join reply on liked.post_kind = 'reply' and reply.id = liked.post_id and reply.status = 'published'
    left join topic on topic.status = 'published' and ${tag.seenBy(member, 'topic.tag_id')}
      and topic.id = case liked.post_kind when 'topic' then liked.post_id when 'comment' then comment.topic_id else reply.topic_id end
    order by liked.at desc, liked.post_id`.execute(db)
  const people = await user.authors(
    db,
    rows.flatMap(({ topicId, authorId }) => (topicId ? [authorId] : [])),
  )
  return { likes: rows.map((row) => likeView(row, people)), ...pagePosition(Number(count), page, perPage) }
}

function likeView(row: Row, people: Awaited<ReturnType<typeof user.authors>>) {
  const { kind, id, at, topicId, thread, title, commentId, excerpt, authorId } = row
  const author = people.get(authorId)
  const post = topicId && thread && title !== null && author ? { kind, id, thread, topicId, title, commentId, excerpt, author } : null
  return { kind, id, post, at: at.toISOString() }
}
