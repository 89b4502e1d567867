import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { isMember, type Member, type Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Followable, followerList, followList, followMine, followOfMember, Level, BlockLevel } from '#follow/contract.ts'
import { mutedBy } from '#follow/server/blocking.ts'
import { mutedThreads } from '#follow/server/follow.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

/** The state of this member that pages with lists need. */
const perPage = 30

export async function mine(db: Db, member: Member): Promise<Output<typeof followMine>> {
  const [tags, mutedThreadIds, muted] = await Promise.all([
    db
      .selectFrom('follow')
      .select(['of_id as id', 'level'])
      .where('member_id', '=', member.id)
      .where('of', '=', 'tag')
      .where('level', '<>', 'normal')
      .execute(),
    mutedThreads(db, member),
    mutedBy(db, member),
  ])
  return { tags, mutedThreadIds, muted }
}

/** The follow counts of a member and their relation to the viewer. */
export async function ofMember(
  db: Db,
  viewer: Viewer,
  { userId }: ParsedInput<typeof followOfMember>,
): Promise<Output<typeof followOfMember>> {
  addCacheTags([`following:${userId}`])
  const person = await user.accountStatus(db, userId)
  const isMe = viewer.id === userId
  const { rows } = await sql<{ following: number; followers: number; isFollowed: boolean; way: BlockLevel | null }>`
    select (select count(*)::int from follow where member_id = ${userId} and of = 'member') as following,
      (select count(*)::int from follow where of = 'member' and of_id = ${userId}) as followers,
      exists (select from follow where of = 'member' and of_id = ${userId} and member_id = ${viewer.id}) as "isFollowed",
      (select how from member_block where member_id = ${viewer.id} and other_id = ${userId}) as way`.execute(db)
  const { following = 0, followers = 0, isFollowed = false, way = null } = rows[0] ?? {}
  return {
    counts: isMe || person.showsActivity ? { following, followers } : null,
    canBeFollowed: !isMe && !person.isGone,
    isFollowed: isMember(viewer) ? isFollowed : null,
    way,
  }
}

export async function followed(
  db: Db,
  viewer: Viewer,
  { userId, of, page }: ParsedInput<typeof followList>,
): Promise<Output<typeof followList>> {
  const whose = await user.activityOwner(db, viewer, userId)
  const isMine = whose.id === viewer.id
  // In lists of other members: followed targets that the viewer may see. In one's own: also muted and removed ones, so that they
  // can be unfollowed. A merged thread is listed under its target.
  const which = sql`
    from follow left join topic on of = 'topic' and topic.id = of_id and topic.status = 'published' and ${tag.seenBy(viewer)}
    where member_id = ${whose.id} and of = ${of} and level <> 'normal' and not exists (
      select from topic as merged where of = 'topic' and merged.id = of_id and merged.merged_as is not null) and (${isMine} or level <> 'muted' and case of
      when 'topic' then level = 'watching' and topic.id is not null when 'tag' then ${tag.seenBy(viewer, 'of_id')} else true end)`
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count ${which}`.execute(db)
  const { rows } = await sql<{ id: string; at: Date; level: Level; kind: ThreadKind | null; title: string | null }>`
    select of_id as id, at, level, topic.kind, topic.title ${which}
    order by at desc, of_id limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const [people, places, known] = await Promise.all([
    user.authors(db, of === 'member' ? ids : []),
    tag.places(db),
    isMine ? new Set(rows.flatMap(({ id, level }) => (level === 'muted' ? [] : id))) : followedAmong(db, viewer, of, ids),
  ])
  return {
    user: whose,
    of,
    followed: rows.map(({ id, at, level, kind, title }) => ({
      id,
      at: at.toISOString(),
      isFollowed: isMember(viewer) ? known.has(id) : null,
      level: isMine && of !== 'member' ? level : null,
      member: people.get(id) ?? null,
      tag: of === 'tag' && viewer.may('tag.view', id) ? (places.get(id) ?? null) : null,
      thread: kind && title !== null ? { kind, title } : null,
    })),
    ...pagePosition(counted[0]?.count ?? 0, page, perPage),
  }
}

export async function followers(
  db: Db,
  viewer: Viewer,
  { userId, page }: ParsedInput<typeof followerList>,
): Promise<Output<typeof followerList>> {
  const whose = await user.activityOwner(db, viewer, userId)
  const which = db.selectFrom('follow').select(['member_id', 'at']).where('of', '=', 'member').where('of_id', '=', whose.id)
  const { people, ...pages } = await user.peoplePage(db, which, page)
  const ids = people.map(({ member }) => member.id)
  const known = await followedAmong(db, viewer, 'member', ids)
  return {
    user: whose,
    followers: people.map(({ member, at }) => ({ member, at, isFollowed: isMember(viewer) ? known.has(member.id) : null })),
    ...pages,
  }
}

async function followedAmong(db: Db, viewer: Viewer, of: Followable, ids: readonly string[]): Promise<Set<string>> {
  if (!isMember(viewer) || ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('follow')
    .select('of_id')
    .where('of', '=', of)
    .where('of_id', '=', anyOf(ids))
    .where('member_id', '=', viewer.id)
    .where('level', 'in', ['watching', 'tracking'])
    .execute()
  return new Set(rows.map(({ of_id }) => of_id))
}
