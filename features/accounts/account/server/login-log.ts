import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { sessions } from '#account/contract.ts'
import type { loginLog } from '#account/login-contract.ts'
import { lastingCredentials } from '#account/server/credentials.ts'
import { endAllSessions, endSessions } from '#account/server/end-sessions.ts'
import type { Db } from '#base/server/database/database.ts'
import { withRegions } from '#base/server/region.ts'
import type { Member } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'

const perPage = 30

/** The member's own log, newest first, thirty per page. */
export async function list(db: Db, member: Member, { page, kind }: ParsedInput<typeof loginLog>): Promise<Output<typeof loginLog>> {
  const { count } = await db
    .selectFrom('login_log')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'login'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('login_log')
    .select(['id', 'at', 'kind', 'ip', 'user_agent'])
    .where('member_id', '=', member.id)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'login'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const total = Number(count)
  const { pages } = pagePosition(total, page, perPage)
  return {
    total,
    page,
    pages,
    entries: await withRegions(rows.map(({ user_agent, ...row }) => ({ ...row, at: row.at.toISOString(), device: user_agent }))),
  }
}

/** The member's active sessions, this device first. */
export async function listSessions(db: Db, member: Member): Promise<Output<typeof sessions>> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'ip', 'user_agent', 'started_at', 'last_used_at'])
    .where('member_id', '=', member.id)
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(100)
    .execute()
  const views = rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    device: row.user_agent,
    startedAt: row.started_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isThis: row.id === member.sessionId,
  }))
  const tokens = await lastingCredentials(db, member.id)
  return { sessions: await withRegions(views.sort((one, other) => Number(other.isThis) - Number(one.isThis))), tokens: tokens.length }
}

/** Ends one of the member's own sessions; another member's session is missing. */
export async function endSession(tx: Db, member: Member, sessionId: string): Promise<void> {
  const own = await tx.selectFrom('session').select('id').where('id', '=', sessionId).where('member_id', '=', member.id).executeTakeFirst()
  if (!own) throw Missing()
  await endSessions(tx, [sessionId], sessionId === member.sessionId ? 'logged out' : 'ended by member')
}

/** Ends all of the member's own sessions except the current one, and their programs' tokens. */
export async function endOtherSessions(tx: Db, member: Member): Promise<void> {
  await endAllSessions(tx, member.id, 'ended by member', member.sessionId)
}
