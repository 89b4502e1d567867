import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { NotOpen, WrongSandboxCode, type paySandbox, type sandboxPayment } from '#payment/contract.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import { show } from '#payment/server/member-payments.ts'
import { enabledProviders } from '#payment/server/providers.ts'
import { isSandboxCode } from '#payment/server/sandbox-code.ts'
import { paymentOf, sandbox, signNotification } from '#payment/server/providers/sandbox.ts'

/** A member's payment, for the sandbox's page. */
export async function showPayment(db: Db, member: Member, client: ClientInfo, number: string): Promise<Output<typeof sandboxPayment>> {
  await requireSandbox(db, client)
  const { amount, provider, state } = await show(db, member, number)
  if (provider !== 'sandbox') throw Missing()
  return { number, amount, isOpen: state === 'open' }
}

/** Applies an outcome in the sandbox: updates its payment, and sends its notification as a provider does. */
export async function applyOutcome(
  tx: Db,
  member: Member,
  client: ClientInfo,
  { number, outcome, code }: ParsedInput<typeof paySandbox>,
): Promise<void> {
  const { isOpen } = await showPayment(tx, member, client, number)
  if (!isOpen) throw NotOpen()
  if (!isSandboxCode(code)) throw WrongSandboxCode()
  if (outcome === 'never') return
  const row = await tx
    .updateTable('payment_sandbox')
    .set(outcome === 'failed' ? { outcome: 'failed' } : { outcome: 'paid', paid_at: sql`clock_timestamp()` })
    .where('number', '=', number)
    .where('outcome', '=', 'waiting')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw NotOpen()
  if (outcome === 'failed')
    return storeEvent(tx, 'sandbox', { eventId: `closed:${number}`, kind: 'closed', number }, { headers: {}, body: Buffer.alloc(0) })
  // A late payment sends no notification: a query finds it.
  if (outcome === 'late') return
  const secret = await secretOf(tx, 'payment sandbox')
  for (let time = 0; time < (outcome === 'twice' ? 2 : 1); time++) {
    const call = { name: 'sandbox', ip: '127.0.0.1', at: new Date(), ...signNotification(secret, paymentOf(row)) }
    for (const event of await sandbox(tx, secret).verify(call)) await storeEvent(tx, 'sandbox', event, call)
  }
}

// The order may have been begun before the site got an address or a proxy.
async function requireSandbox(db: Db, { isLocal }: ClientInfo): Promise<void> {
  if (!isLocal || !(await enabledProviders(db)).includes('sandbox')) throw Missing()
}
