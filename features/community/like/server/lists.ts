import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Kind } from '#kind/contract.ts'
import type { likers, likesOfTopic, myLikes } from '#like/contract.ts'
import * as posts from '#post/server/post.ts'
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

/** The posts that this member likes; of those they may no longer see, only the time. */
export async function mine(db: Db, member: Member, { page }: ParsedInput<typeof myLikes>): Promise<Output<typeof myLikes>> {
  const { count } = await db
    .selectFrom('post_like')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  const liked = await db
    .selectFrom('post_like')
    .select(['post_kind as kind', 'post_id as id', 'at'])
    .where('member_id', '=', member.id)
    .orderBy('at', 'desc')
    .orderBy('post_id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const seen = await posts.visible(db, member, liked)
  const people = await user.authors(
    db,
    [...seen.values()].map(({ authorId }) => authorId),
  )
  const likes = liked.map(({ kind, id, at }) => ({ kind, id, post: likedPost(seen.get(`${kind} ${id}`), people), at: at.toISOString() }))
  return { likes, ...pagePosition(Number(count), page, perPage) }
}

function likedPost(post: posts.PostSummary | undefined, people: Awaited<ReturnType<typeof user.authors>>) {
  const author = post && people.get(post.authorId)
  if (!author) return null
  const { authorId: _, ...shown } = post
  return { ...shown, author }
}
