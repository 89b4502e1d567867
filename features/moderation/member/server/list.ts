import { sql, type RawBuilder } from 'kysely'
import type { Answer, Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { inBatch } from '#batch/server/batch.ts'
import { choiceKinds } from '#field/contract.ts'
import * as field from '#field/server/field.ts'
import { inNetwork } from '#base/server/http/network.ts'
import { paged } from '#base/server/database/paged.ts'
import { regionOf, withRegions } from '#base/server/region.ts'
import type { memberList, memberLogins } from '#member/contract.ts'
import { hasState, stateExpression } from '#member/server/state.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'

const id = sql`member.id`
const keys = {
  joined: { by: sql`member.joined_at`, as: 'timestamptz' },
  seen: { by: sql`member.last_seen_at`, as: 'timestamptz' },
  posts: { by: sql`(member.topic_count + member.comment_count + member.reply_count)`, as: 'bigint' },
} as const

type MemberListParams = ParsedInput<typeof memberList>

export async function list(db: Db, params: MemberListParams): Promise<Answer<typeof memberList>> {
  const query = membersMatching(db, params)
  const [page, roleChoices, fields] = await Promise.all([
    paged(db, query, { ...params, keys, id }),
    rolesHeld(db),
    field.searchableFields(db),
  ])
  return {
    ...page,
    rows: await Promise.all(page.rows.map(viewOf)),
    roleChoices,
    fields: fields.map(({ id: its, name, options }) => ({ id: its, name, options })),
  }
}

/** The members that a list's filter matches, in any order. */
export function membersMatching(db: Db, params: MemberListParams) {
  let query = rowsOf(db)
  for (const condition of conditionsOf(params)) query = query.where(condition)
  return query
}

export async function rolesHeld(db: Db): Promise<Output<typeof memberList>['roleChoices']> {
  const rows = await db
    .selectFrom('role')
    .select(['id', 'name_zh as zh', 'name_en as en'])
    .where('is_default', '=', false)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(({ id: its, ...name }) => ({ id: its, name }))
}

export function rowsOf(db: Db) {
  return db
    .selectFrom('member')
    .select(['member.id', 'account', 'nickname', 'avatar', 'is_official as isOfficial', 'joined_at as joinedAt'])
    .select(['last_seen_at as lastSeenAt', 'topic_count as topics', 'comment_count as comments', 'reply_count as replies'])
    .select(sql<string | null>`host(joined_ip)`.as('joinedIp'))
    .select([stateExpression.as('state'), role.namesHeldBy('member.id').as('roles')])
}

export async function viewOf<Its extends { avatar: string | null; joinedIp: string | null }>(its: Its) {
  return { ...its, avatar: user.avatarPath(its.avatar), joinedRegion: its.joinedIp && (await regionOf(its.joinedIp)) }
}

function conditionsOf(params: MemberListParams): RawBuilder<boolean>[] {
  const { name, names, roleId, state, joinedSince, joinedUntil, seenSince, seenUntil, ip, fieldId, answer, batchId } = params
  const conditions: RawBuilder<boolean>[] = []
  if (name) conditions.push((names === 'beginning' ? hasPrefix : contains)(user.nameKey(name)))
  if (roleId) conditions.push(sql`member.id in (select member_id from role_holding where role_id = ${roleId} and during @> now())`)
  if (state) conditions.push(hasState[state])
  if (joinedSince) conditions.push(sql`joined_at >= ${new Date(joinedSince)}`)
  if (joinedUntil) conditions.push(sql`joined_at < ${new Date(joinedUntil)}`)
  if (seenSince) conditions.push(sql`last_seen_at >= ${new Date(seenSince)}`)
  if (seenUntil) conditions.push(sql`last_seen_at < ${new Date(seenUntil)}`)
  if (ip) conditions.push(loggedInFrom(ip))
  if (fieldId && answer) conditions.push(hasAnswer(fieldId, answer))
  if (batchId) conditions.push(sql`member.id in (${inBatch('member', batchId)})`)
  return conditions
}

function hasPrefix(key: string): RawBuilder<boolean> {
  return sql`(${user.hasPrefix('account_key', key)} or ${user.hasPrefix('nickname_key', key)})`
}

// The index holds every letter and every pair of neighbours; a match of all of them does not tell their order.
function contains(key: string): RawBuilder<boolean> {
  return sql`(parts_of(account_key || ' ' || coalesce(nickname_key, '')) @> parts_of(${key}::text)
    and (strpos(account_key, ${key}::text) > 0 or strpos(nickname_key, ${key}::text) > 0))`
}

function hasAnswer(fieldId: string, answer: string): RawBuilder<boolean> {
  return sql`member.id in (
    select member_id from member_field where field_id = ${fieldId} and answer @> ${[answer]}::text[]
    union all
    select member_id from member_field
    where field_id = ${fieldId} and (select kind from field where field.id = ${fieldId}) <> all(${[...choiceKinds]}::text[])
    and parts_of(lower(answer[1])) @> parts_of(lower(${answer}::text)) and strpos(lower(answer[1]), lower(${answer}::text)) > 0)`
}

function loggedInFrom(ip: string): RawBuilder<boolean> {
  return sql`member.id in (
    select member_id from login_log where ${inNetwork('login_log.ip', ip)}
    union all
    select one.id from member as one where ${inNetwork('one.joined_ip', ip)})`
}

const login = sql`login_log.id`

export async function logins(db: Db, input: ParsedInput<typeof memberLogins>): Promise<Output<typeof memberLogins>> {
  const query = db
    .selectFrom('login_log')
    .select(['id', 'at', 'kind', sql<string>`host(ip)`.as('ip')])
    .where('member_id', '=', input.memberId)
  const page = await paged(db, query, { ...input, keys: { at: { by: sql`login_log.at`, as: 'timestamptz' } }, id: login })
  return { ...page, rows: await withRegions(page.rows.map((row) => ({ ...row, at: row.at.toISOString() }))) }
}
