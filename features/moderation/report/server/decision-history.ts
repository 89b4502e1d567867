import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { accountsOf } from '#report/server/claim.ts'
import type { caseView } from '#report/staff-contract.ts'

type DecisionTarget = { case_id: string } | { removal_id: string }
type Decision = {
  outcome: 'failed' | 'succeeded' | 'restored' | 'confirmed' | null
  said: string
  remark: string
  decided_by: string | null
  decided_at: Date | null
}

/** Records a decision before it is reversed, with the actor and the reason, for later decisions. */
export async function recordTakenBack(
  tx: Db,
  actor: StaffActor,
  target: DecisionTarget,
  { decision, reason }: { decision: Decision; reason: string },
): Promise<void> {
  const { outcome, decided_at, ...rest } = decision
  if (!outcome || !decided_at) return
  await tx
    .insertInto('decision_taken_back')
    .values({ ...target, ...rest, outcome, decided_at, taken_back_by: actor.id, reason })
    .execute()
}

/** Earlier decisions that were reversed, newest first. */
export async function takenBackDecisions(db: Db, target: DecisionTarget): Promise<Output<typeof caseView>['takenBack']> {
  const rows = await db
    .selectFrom('decision_taken_back')
    .select(['id', 'outcome', 'said', 'remark', 'decided_by', 'decided_at', 'taken_back_by', 'taken_back_at', 'reason'])
    .where('case_id' in target ? 'case_id' : 'removal_id', '=', 'case_id' in target ? target.case_id : target.removal_id)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  const accounts = await accountsOf(
    db,
    rows.flatMap((row) => [row.decided_by, row.taken_back_by]),
  )
  return rows.map(({ id, outcome, said, remark, reason, ...row }) => ({
    id,
    outcome,
    said,
    remark,
    reason,
    decidedBy: accounts.get(row.decided_by ?? '') ?? '',
    decidedAt: row.decided_at.toISOString(),
    by: accounts.get(row.taken_back_by) ?? '',
    at: row.taken_back_at.toISOString(),
  }))
}
