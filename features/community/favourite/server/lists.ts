import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { favouriteForm, favouriteList, keepers } from '#favourite/contract.ts'
import * as folders from '#favourite/server/folders.ts'
import * as posts from '#post/server/post.ts'
import * as user from '#user/server/user.ts'

const perPage = 30

export async function form(db: Db, member: Member, topicId: string): Promise<Output<typeof favouriteForm>> {
  const existing = await db
    .selectFrom('favourite')
    .select(['folder_id', 'note'])
    .where('topic_id', '=', topicId)
    .where('member_id', '=', member.id)
    .executeTakeFirst()
  return { folders: await folders.of(db, member.id, { all: true }), folderId: existing?.folder_id ?? null, note: existing?.note ?? '' }
}

type Row = { topicId: string; folderId: string | null; note: string; at: Date }

/** A member's own favourites, or those in public folders of another. */
export async function list(
  db: Db,
  viewer: Viewer,
  { userId = viewer.id ?? undefined, folderId, page }: ParsedInput<typeof favouriteList>,
): Promise<Output<typeof favouriteList>> {
  const whose = userId ? (await user.authors(db, [userId])).get(userId) : undefined
  if (!whose) throw Missing()
  const isMine = whose.id === viewer.id
  const ownFolders = await folders.of(db, whose.id, { all: isMine })
  if (folderId && !ownFolders.some(({ id }) => id === folderId)) throw Missing()
  const folderIds = folderId ? [folderId] : ownFolders.map(({ id }) => id)
  const which = sql`kept.member_id = ${whose.id} and ${isMine && !folderId ? sql`true` : sql`kept.folder_id = any(${folderIds}::bigint[])`}`
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count from favourite as kept where ${which}`.execute(db)
  const { rows } = await sql<Row>`
    select kept.topic_id as "topicId", kept.folder_id as "folderId", kept.note, kept.at from favourite as kept
    where ${which} order by kept.at desc, kept.topic_id limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  const seen = await posts.visible(
    db,
    viewer,
    rows.map(({ topicId }) => ({ kind: 'topic', id: topicId })),
  )
  const people = await user.authors(
    db,
    [...seen.values()].map(({ authorId }) => authorId),
  )
  return {
    user: whose,
    folders: ownFolders,
    favourites: rows.map(({ topicId, folderId: lies, note, at }) => {
      const topic = seen.get(`topic ${topicId}`)
      const author = topic && people.get(topic.authorId)
      return {
        topicId,
        topic: author ? { kind: topic.thread, title: topic.title, author } : null,
        folderId: lies,
        note: isMine ? note : '',
        at: at.toISOString(),
      }
    }),
    ...pagePosition(counted[0]?.count ?? 0, page, perPage),
  }
}

/** The members with this member's thread in their favourites. */
export async function membersWith(db: Db, member: Member, { topicId, page }: ParsedInput<typeof keepers>): Promise<Output<typeof keepers>> {
  const { id, kind, title, authorId } = await posts.findOwnThread(db, member, topicId)
  if (authorId !== member.id) throw Missing()
  const which = db.selectFrom('favourite').select(['member_id', 'at']).where('topic_id', '=', id)
  const { people, ...pages } = await user.peoplePage(db, which, page)
  return { topic: { id, kind, title }, members: people.map(({ member: ownFolders, at }) => ({ member: ownFolders, at })), ...pages }
}
