import { sql } from 'kysely'
import type { Answer, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { countUpTo, paged } from '#base/server/database/paged.ts'
import { withRegions } from '#base/server/region.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import type { Change } from '#batch/server/batch.ts'
import * as contact from '#contact/server/contact.ts'
import * as field from '#field/server/field.ts'
import { NotInThatState } from '#member/contract.ts'
import type { joiningList } from '#member/joining-contract.ts'
import { lockUnlessStaff } from '#member/server/lock.ts'
import * as notification from '#notification/server/notification.ts'

type RegistrationListParams = ParsedInput<typeof joiningList>
type Outcome = 'approved' | 'refused'
/** A registration's status: as text, to be stored and compared. */
type ApprovalStatus = { outcome: Outcome | null; reason: string; decidedAt: string | null }

const keys = { asked: { by: sql`registration_request.asked_at`, as: 'timestamptz' } } as const

export async function list(db: Db, params: RegistrationListParams): Promise<Answer<typeof joiningList>> {
  const page = await paged(db, registrationsIn(db, params), { ...params, keys, id: sql`member.id` })
  const answers = await field.answersInWordsByMember(
    db,
    page.rows.map(({ id }) => id),
  )
  return {
    ...page,
    rows: (await withRegions(page.rows.map((row) => ({ ...row, ip: row.ip ?? '' })))).map(({ outcome, decided_at, by, ...row }) => ({
      ...row,
      ip: row.ip || null,
      answers: answers.get(row.id) ?? [],
      state: outcomeOf(outcome) ?? 'waiting',
      decided: decided_at && { at: decided_at, by },
    })),
  }
}

/** The members of registrations with this outcome. Members who left, or are disabled, await no decision. */
export function registrationsIn(db: Db, { state }: Pick<RegistrationListParams, 'state'>) {
  const query = db
    .selectFrom('registration_request')
    .innerJoin('member', 'member.id', 'registration_request.member_id')
    .leftJoin('staff', 'staff.id', 'decided_by')
    .select(['member.id', 'member.account', 'nickname', 'asked_at as askedAt', 'outcome', 'reason', 'decided_at', 'staff.account as by'])
    .select(sql<string | null>`host(joined_ip)`.as('ip'))
  if (state !== 'waiting') return query.where('outcome', '=', state)
  return query.where('outcome', 'is', null).where('member.deactivated_at', 'is', null)
}

/** The number of pending registrations, up to the limit of counting. */
export function pendingRegistrations(db: Db): Promise<number> {
  return countUpTo(db, registrationsIn(db, { state: 'waiting' }))
}

/** Approves or rejects a registration. Writes no audit entry. A rejected one can still be approved, an approved one not rejected. */
export async function decide(
  tx: Db,
  by: StaffActor,
  memberId: string,
  { outcome, reason }: { outcome: Outcome; reason: string },
): Promise<Change | null> {
  await lockUnlessStaff(tx, memberId)
  const before = await approvalStatusOf(tx, memberId)
  if (before.outcome === outcome) return null
  if (before.outcome === 'approved') throw NotInThatState()
  const after = { outcome, reason, decidedAt: new Date().toISOString() }
  await setApprovalStatus(tx, memberId, after, by.id)
  await notification.notify(tx, memberId, outcome === 'approved' ? { kind: 'joiningApproved' } : { kind: 'joiningRefused', reason })
  await contact.emailOwner(tx, memberId, outcome === 'approved' ? 'joiningApproved' : 'joiningRefused', { values: { reason } })
  return { before, after }
}

/** Undoes either, where it is unchanged. The notification stays; the page itself says that the registration is pending again. */
export async function undoDecision(tx: Db, memberId: string, { before, after }: Change): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  const [was, left, now] = [before as ApprovalStatus, after as ApprovalStatus, await approvalStatusOf(tx, memberId)]
  if (now.outcome !== left.outcome || now.decidedAt !== left.decidedAt) throw UndoneAlready()
  await setApprovalStatus(tx, memberId, was, null)
}

async function approvalStatusOf(tx: Db, memberId: string): Promise<ApprovalStatus> {
  const row = await tx
    .selectFrom('registration_request')
    .select(['outcome', 'reason', 'decided_at'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (!row) throw NotInThatState()
  return { outcome: outcomeOf(row.outcome), reason: row.reason, decidedAt: row.decided_at?.toISOString() ?? null }
}

async function setApprovalStatus(
  tx: Db,
  memberId: string,
  { outcome, reason, decidedAt }: ApprovalStatus,
  decided_by: string | null,
): Promise<void> {
  await tx
    .updateTable('registration_request')
    .set({ outcome, reason, decided_at: decidedAt === null ? null : new Date(decidedAt), decided_by })
    .where('member_id', '=', memberId)
    .execute()
  invalidate(tx, `member:${memberId}`)
}

function outcomeOf(outcome: string | null): Outcome | null {
  return outcome === 'approved' || outcome === 'refused' ? outcome : null
}
