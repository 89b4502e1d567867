import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import type { Db, StatementBuilder } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import { SignedOut, type Viewer } from '#base/server/http/route.ts'
import { tables, type Kind } from '#kind/contract.ts'
import * as preferences from '#preferences/server/preferences.ts'
import type { z } from 'zod'
import type { SystemUserView } from '#setting/contract.ts'
import { ActivityHidden, type AuthorView, type PersonView } from '#user/contract.ts'
import * as formerNames from '#user/server/former-names.ts'
import { skeletonOf, candidates } from '#user/server/confusables.ts'
import * as level from '#user/server/level.ts'
import { authors, avatarPath } from '#user/server/authors.ts'
import { nameKey } from '#user/server/name-key.ts'
import { visibleCounts, writtenBy } from '#user/server/written.ts'

/** Whether a name is taken, was given up lately, or looks like one that is taken, as account or as nickname. */
export async function isNameTaken(db: Db, name: string, exceptMemberId?: string): Promise<boolean> {
  const holder = await db.selectFrom('taken_name').select('member_id').where('key', '=', nameKey(name)).executeTakeFirst()
  if (holder !== undefined) return holder.member_id !== exceptMemberId
  if (await formerNames.isReserved(db, nameKey(name), exceptMemberId)) return true
  const skeleton = skeletonOf(name)
  return (await confusableMembers(db, skeleton)).some(
    (one) => one.id !== exceptMemberId && [one.account, one.nickname ?? ''].some((its) => skeletonOf(its) === skeleton),
  )
}

// Extends prefixes letter by letter, and only those that a taken name has: the possible spellings are far more than the names.
async function confusableMembers(db: Db, skeleton: string): Promise<{ id: string; account: string; nickname: string | null }[]> {
  const places = JSON.stringify(candidates(skeleton))
  const begins = (column: 'account_key' | 'nickname_key') =>
    sql`exists (select from member where ${sql.ref(column)} ~>=~ (start || one) and ${sql.ref(column)} ~<~ (start || one || ${'\u{10FFFF}'}::text))`
  const { rows } = await sql<{ id: string; account: string; nickname: string | null }>`
    with recursive walk (start, place) as (
      select ''::text, 0
      union all
      select start || one, place + 1 from walk, jsonb_array_elements_text(${places}::jsonb -> place) as one
      where ${begins('account_key')} or ${begins('nickname_key')})
    select id, account, nickname from walk join member on account_key = start or nickname_key = start
    where place = ${[...skeleton].length}::int`.execute(db)
  return rows
}

/** The same in the transaction that takes the name: concurrent requests for similar names wait. */
export async function isTaken(tx: Db, name: string, exceptMemberId?: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('name ' || ${skeletonOf(name)}::text, 0))`.execute(tx)
  return isNameTaken(tx, name, exceptMemberId)
}

/** The member with this shown name, or the last with it; or null. An account name behind a nickname is private. */
export async function memberIdByName(db: Db, name: string): Promise<string | null> {
  const key = nameKey(name)
  const row = await db
    .selectFrom('member')
    .select('id')
    .where((row) => row.or([row('nickname_key', '=', key), row.and([row('account_key', '=', key), row('nickname', 'is', null)])]))
    .executeTakeFirst()
  return row?.id ?? formerNames.ownerOf(db, key)
}

/** A member, and the accounts that were merged into theirs: a query of their ids. */
export function withMergedIds(memberId: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`with recursive its (id) as (
    select ${memberId}::bigint union select member.id from its join member on merged_into = its.id) select id from its`
}

/** The members with this name, account or number, for a search by staff: a query of their ids. */
export function memberIdsNamed(name: string) {
  const key = nameKey(name)
  const byId = /^[1-9]\d{0,17}$/.test(key) ? sql`or member.id = ${key}::bigint` : sql``
  return sql`select member.id from member where member.account_key = ${key} or member.nickname_key = ${key} ${byId}`
}

/** The condition that a name has this prefix. Compared bytewise, so that the index serves it under every collation. */
export function hasPrefix(column: 'account_key' | 'nickname_key', key: string) {
  return sql<boolean>`(${sql.ref(column)} ~>=~ ${key} and ${sql.ref(column)} ~<~ ${`${key}\u{10FFFF}`})`
}

/** Whether the approval of this column's member is pending. */
export function isApprovalPending(memberId: string) {
  return sql<boolean>`exists (select from registration_request where registration_request.member_id = ${sql.ref(memberId)} and outcome is distinct from 'approved')`
}

export async function systemUser(db: Db, memberId: string): Promise<z.infer<typeof SystemUserView>> {
  const [row, chosen] = await Promise.all([
    db
      .selectFrom('member')
      .leftJoin('registration_request', 'registration_request.member_id', 'member.id')
      .leftJoin('account_deletion', 'account_deletion.member_id', 'member.id')
      .select([
        'member.id',
        'account',
        'nickname',
        'avatar',
        'is_official',
        'registration_request.asked_at',
        'outcome',
        'registration_request.reason',
        'erase_at',
      ])
      .where('member.id', '=', memberId)
      .executeTakeFirstOrThrow(),
    preferences.of(db, memberId),
  ])
  const isAsked = row.asked_at !== null && row.outcome !== 'approved'
  return {
    userId: row.id,
    account: row.account,
    nickname: row.nickname,
    avatar: avatarPath(row.avatar),
    isOfficial: row.is_official,
    preferences: chosen,
    joining: isAsked ? { isRefused: row.outcome === 'refused', reason: row.reason ?? '' } : null,
    leavesAt: row.erase_at?.toISOString() ?? null,
  }
}

/** A member's card. The counts of posts show only where the member shows them and this viewer may look. */
export async function person(db: Db, viewer: Viewer, memberId: string): Promise<PersonView> {
  const [[row], views] = await Promise.all([personRow(db, { memberId }), authors(db, [memberId])])
  const view = views.get(memberId)
  if (!row || !view) throw Missing()
  const { rank, name } = await level.levelAt(db, Number(row.points_earned))
  return {
    user: view,
    level: { rank, name },
    joinedAt: row.joined_at.toISOString(),
    counts: row.shows_activity ? visibleCounts(viewer, row.written) : null,
  }
}

const personRow = statement((db, { memberId }: Parameters<{ memberId: string }>) =>
  db
    .selectFrom('member')
    .select(['joined_at', 'shows_activity', 'points_earned', writtenBy(sql.ref('member.id')).as('written')])
    .where('id', '=', memberId),
)

/** A member's level, and the distance to the next. */
export async function levelOf(db: Db, memberId: string): ReturnType<typeof level.levelAt> {
  const row = await db.selectFrom('member').select('points_earned').where('id', '=', memberId).executeTakeFirst()
  return level.levelAt(db, Number(row?.points_earned ?? 0))
}

/** The member whose activity a viewer requests: themselves, or a member who shows it. */
export async function activityOwner(db: Db, viewer: Viewer, userId: string | undefined): Promise<AuthorView> {
  const memberId = userId ?? viewer.id
  if (!memberId) throw SignedOut()
  const [row, views] = await Promise.all([
    db.selectFrom('member').select('shows_activity').where('id', '=', memberId).executeTakeFirst(),
    authors(db, [memberId]),
  ])
  const view = views.get(memberId)
  if (!row || !view) throw Missing()
  if (!row.shows_activity && memberId !== viewer.id) throw ActivityHidden()
  return view
}

/** Whether an account is closed, and whether it shows its activity. */
export async function accountStatus(db: Db, memberId: string): Promise<{ isGone: boolean; showsActivity: boolean }> {
  const row = await db.selectFrom('member').select(['shows_activity', 'deactivated_at']).where('id', '=', memberId).executeTakeFirst()
  if (!row) throw Missing()
  return { isGone: row.deactivated_at !== null, showsActivity: row.shows_activity }
}

const peoplePerPage = 30

type FoundMember = { member_id: string; at: Date }

/** A page of the members that a query finds, with the time that it selects, newest first. The query has neither order nor limit. */
export async function peoplePage<Tables, From extends keyof Tables, Row extends FoundMember>(
  db: Db,
  query: SelectQueryBuilder<Tables, From, Row>,
  page: number,
): Promise<{ people: { member: AuthorView; at: string; row: Row }[]; total: number; page: number; pages: number }> {
  const { count } = await query
    .clearSelect()
    .select(sql<string>`count(*)`.as('count'))
    .$castTo<{ count: string }>()
    .executeTakeFirstOrThrow()
  const pages = pagePosition(Number(count), page, peoplePerPage)
  const rows = await query
    .orderBy(sql`at desc, member_id`)
    .limit(peoplePerPage)
    .offset((page - 1) * peoplePerPage)
    .execute()
  const members = await authors(
    db,
    rows.map(({ member_id }) => member_id),
  )
  const people = rows.flatMap((row) => {
    const member = members.get(row.member_id)
    return member ? [{ member, at: row.at.toISOString(), row }] : []
  })
  return { people, ...pages }
}

export { lettersOf } from '#user/letters.ts'
export { nameSql } from '#user/server/name-sql.ts'
export { authors, avatarPath } from '#user/server/authors.ts'
export { formerNamesOf, recordFormerName } from '#user/server/former-names.ts'
export { hasImportedHashes, replaceHash } from '#user/server/imported-hash.ts'
export { isReserved, nameKey } from '#user/server/name-key.ts'
export { levels } from '#user/server/level.ts'
export { enqueueRenames, renaming } from '#user/server/renaming.ts'
export { profilePath, mentionedIn, withNames } from '#user/server/mentioned.ts'
export { count, countInTags, countUnder, lock, incrementWritten, type CountedPost } from '#user/server/written.ts'

/** The part of a statement that counts one more published post of a member; none where it waits for review. */
export function incrementPostCount(tx: StatementBuilder, memberId: string, kind: Kind, by: 0 | 1) {
  const { counter } = tables[kind]
  return tx
    .updateTable('member')
    .set((row) => ({ [counter]: row(counter, '+', by) }))
    .where('id', '=', memberId)
}

/** Deletes the counts of a merged member, whose posts have all been transferred. */
export async function membersMerged(tx: Db, { from }: MergedMembers): Promise<void> {
  await tx
    .deleteFrom('written')
    .where('member_id', '=', from)
    .where('topics', '=', 0)
    .where('comments', '=', 0)
    .where('replies', '=', 0)
    .execute()
}
