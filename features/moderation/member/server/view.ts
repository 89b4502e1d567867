import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { inNetwork, customerNetwork } from '#base/server/http/network.ts'
import { withRegions } from '#base/server/region.ts'
import * as field from '#field/server/field.ts'
import type { memberView } from '#member/contract.ts'
import { recordOf } from '#member/server/record.ts'
import { rolesHeld, rowsOf, viewOf } from '#member/server/list.ts'
import { isRunning, stateExpression } from '#member/server/state.ts'
import * as ways from '#member/server/login-methods.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'

type View = Answer<typeof memberView>

const maxShown = 30

/** Everything about one member, each part limited to what a page can show. */
export async function show(db: Db, { memberId, addresses }: ParsedInput<typeof memberView>): Promise<View> {
  const row = await rowOf(db, memberId)
  if (!row) throw Missing()
  const { deactivated_at, deactivated_because, freed_account, freed_nickname, ...own } = row
  const [view, rolesVersion] = await Promise.all([viewOf(own), role.heldVersion(db, memberId)])
  const [heldRoles, answers, sessions, tokens, logins, bans, notes, neighbours, roleChoices, record, formerNames, check] =
    await Promise.all([
      heldBy(db, memberId),
      field.answersInWords(db, memberId, { all: true }),
      addresses ? sessionsOf(db, memberId) : [],
      addresses ? tokensOf(db, memberId) : [],
      addresses ? loginsOf(db, memberId) : [],
      bansOf(db, memberId),
      notesOn(db, memberId),
      neighboursOf(db, memberId, row.joinedIp),
      rolesHeld(db),
      recordOf(db, memberId),
      user.formerNamesOf(db, memberId),
      realName.checkOf(db, memberId),
    ])
  return {
    ...view,
    ...(!addresses && { joinedIp: null, joinedRegion: null }),
    deactivated: deactivated_at && { at: deactivated_at.toISOString(), because: deactivated_because },
    freed: freed_account === null ? null : { account: freed_account, nickname: freed_nickname },
    ways: addresses ? await ways.of(db, memberId) : null,
    realName: check && checkedView(check),
    heldRoles,
    rolesVersion,
    told: answers,
    sessions,
    tokens,
    logins,
    bans,
    notes,
    neighbours,
    roleChoices,
    record,
    formerNames,
  }
}

function rowOf(db: Db, memberId: string) {
  return rowsOf(db)
    .select(['version', 'deactivated_at', 'deactivated_because', 'freed_account', 'freed_nickname'])
    .select(['merged_into as mergedInto', 'language', 'about', sql<boolean>`hint_question is not null`.as('hasHint')])
    .select(sql<boolean>`exists (select from second_factor where member_id = member.id and confirmed_at is not null)`.as('hasSecondFactor'))
    .select(sql<number>`(select count(*)::int from file where owner_id = member.id)`.as('files'))
    .where('member.id', '=', memberId)
    .executeTakeFirst()
}

function checkedView({ document, checkedBy, checkedAt, isMinor, withdrawnAt }: realName.Check): View['realName'] {
  return { document, checkedBy, checkedAt: checkedAt.toISOString(), isMinor, withdrawnAt: withdrawnAt?.toISOString() ?? null }
}

async function heldBy(db: Db, memberId: string): Promise<View['heldRoles']> {
  const rows = await role.heldNow(db, memberId)
  return rows.map((row) => ({ id: row.id, name: { zh: row.name_zh, en: row.name_en }, endsAt: row.ends_at?.toISOString() ?? null }))
}

async function sessionsOf(db: Db, memberId: string): Promise<View['sessions']> {
  const rows = await db
    .selectFrom('session')
    .select(['id', sql<string>`host(ip)`.as('ip'), 'user_agent', 'started_at', 'last_used_at'])
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(maxShown)
    .execute()
  const views = rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    device: row.user_agent,
    startedAt: row.started_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
  }))
  return withRegions(views)
}

async function tokensOf(db: Db, memberId: string): Promise<View['tokens']> {
  const held = await account.lastingCredentials(db, memberId)
  return held.map(({ id, name, mayWrite, isExpired, madeAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    mayWrite,
    isExpired,
    madeAt: madeAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

async function loginsOf(db: Db, memberId: string): Promise<View['logins']> {
  const rows = await db
    .selectFrom('login_log')
    .select(['id', 'at', 'kind', sql<string>`host(ip)`.as('ip')])
    .where('member_id', '=', memberId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxShown)
    .execute()
  return withRegions(rows.map((row) => ({ ...row, at: row.at.toISOString() })))
}

async function bansOf(db: Db, memberId: string): Promise<View['bans']> {
  const rows = await db
    .selectFrom('member_ban')
    .innerJoin('staff as giver', 'giver.id', 'given_by')
    .leftJoin('staff as lifter', 'lifter.id', 'lifted_by')
    .select(['member_ban.id', 'function', 'reason', 'given_at', 'ends_at', 'lifted_at'])
    .select(['giver.account as given_by', 'lifter.account as lifted_by', isRunning.as('is_running')])
    .where('member_id', '=', memberId)
    .orderBy('member_ban.id', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    from: row.function,
    reason: row.reason,
    givenAt: row.given_at.toISOString(),
    givenBy: row.given_by,
    endsAt: row.ends_at?.toISOString() ?? null,
    liftedAt: row.lifted_at?.toISOString() ?? null,
    liftedBy: row.lifted_by,
    isRunning: row.is_running,
  }))
}

async function notesOn(db: Db, memberId: string): Promise<View['notes']> {
  const rows = await db
    .selectFrom('member_note')
    .innerJoin('staff', 'staff.id', 'staff_id')
    .select(['member_note.id', 'at', 'account as by', 'text'])
    .where('member_id', '=', memberId)
    .orderBy('member_note.id', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

async function neighboursOf(db: Db, memberId: string, joinedIp: string | null): Promise<View['neighbours']> {
  if (joinedIp === null) return []
  const rows = await db
    .selectFrom('member')
    .select(['member.id', 'account', 'nickname', 'joined_at', stateExpression.as('state')])
    .where(inNetwork('joined_ip', customerNetwork(joinedIp)))
    .where('member.id', '<>', memberId)
    .orderBy('joined_at', 'desc')
    .limit(maxShown)
    .execute()
  return rows.map(({ joined_at, ...row }) => ({ ...row, joinedAt: joined_at.toISOString() }))
}
