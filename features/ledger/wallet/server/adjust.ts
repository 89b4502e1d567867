import { sql } from 'kysely'
import { z } from 'zod'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import { AccountMerged, OwnAccount, currencies, toMinor, type Currency, type Minor } from '#wallet/contract.ts'
import {
  auditSubject,
  limitSettings,
  limitsOf,
  moveByHand,
  auditAmounts,
  type ManualMove,
  type PlannedMove,
} from '#wallet/server/approval.ts'
import { credit, debit, notifyMoved } from '#wallet/server/wallet.ts'

type AdjustmentInput = { memberId: string; currency: Currency; way: 'add' | 'take'; amount: Minor; reason: string }
type Adjustment = { memberId: string; currency: Currency; amount: string }

/** Adjusts an account within the limits, or makes a request above them. Staff do not adjust their own account. */
export async function adjust(tx: Db, by: Staff, client: ClientInfo, params: AdjustmentInput): Promise<{ isWaiting: boolean }> {
  const { memberId, currency, way, amount, reason } = params
  const input = { memberId, currency, amount: String(way === 'add' ? amount : 0n - amount) }
  const { isWaiting } = await moveByHand(tx, by, client, adjustment, { input, reason })
  return { isWaiting }
}

export const adjustment: ManualMove<Adjustment> = {
  kind: 'adjustment',
  input: z.object({ memberId: z.string(), currency: z.enum(currencies), amount: z.string() }),
  async check(tx, by, input) {
    const settings = await setting.current(tx, 'allowCash', ...limitSettings)
    // A site without balances has none to adjust.
    if (input.currency === 'cny' && !settings.allowCash) throw Missing()
    await lockAccountOf(tx, by, input.memberId)
    const alone = limitsOf(settings).alone[input.currency]
    return { ...amountsOf(input), needsApproval: (await sumWithoutApproval(tx, by, input)) + absolute(input) > alone }
  },
  async execute(tx, _, input, { id, by, reason }) {
    const amount = toMinor(input.amount)
    const cause = { kind: 'adjustment', source: `adjustment:${id}`, by, reason } as const
    const common = { ...cause, currency: input.currency, account: 'adjustment' } as const
    const posted = await (amount > 0n
      ? credit(tx, { ...common, to: input.memberId, amount, origin: 'given' })
      : debit(tx, { ...common, from: input.memberId, amount: toMinor(0n - amount) }))
    await notifyMoved(tx, [posted.id], { kind: 'accountAdjusted', reason })
    const amounts = amountsOf(input)
    return { transactionIds: [posted.id], note: { action: 'wallet.adjust', about: auditSubject(amounts), after: auditAmounts(amounts) } }
  },
}

function amountsOf({ memberId, currency, amount }: Adjustment): PlannedMove {
  const [none, all] = [toMinor(0), toMinor(amount)]
  return { memberId, points: currency === 'points' ? all : none, cents: currency === 'cny' ? all : none }
}

/** Locks the member against concurrent adjustments. */
async function lockAccountOf(tx: Db, by: Staff, memberId: string): Promise<void> {
  if (memberId === by.id) throw OwnAccount()
  const row = await tx.selectFrom('member').select('merged_into').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw Missing()
  if (row.merged_into !== null) throw AccountMerged()
}

/** The sum of this actor's adjustments of the member within a day without approval, so that many small ones count as a large one. */
async function sumWithoutApproval(tx: Db, by: Staff, { memberId, currency }: Adjustment): Promise<bigint> {
  const row = await tx
    .selectFrom('money_request')
    .select((its) => sql<string>`coalesce(sum(abs(${its.ref(currency === 'points' ? 'points' : 'cents')})), 0)`.as('sum'))
    .where('kind', '=', 'adjustment')
    .where('member_id', '=', memberId)
    .where('asked_by', '=', by.staff.id)
    .where('asked_at', '>', sql<Date>`clock_timestamp() - interval '1 day'`)
    .where('state', '=', 'done')
    .where('decided_by', 'is', null)
    .executeTakeFirstOrThrow()
  return BigInt(row.sum)
}

function absolute({ amount }: Adjustment): bigint {
  return BigInt(amount.replace('-', ''))
}
