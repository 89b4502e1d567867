import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/database.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { SampleMember } from '#database/sample/read.ts'
import type { People } from '#database/seed/document.ts'
import { required } from '#database/seed/required.ts'
import * as setting from '#setting/server/setting.ts'
import { parseAmount, serializeAmount, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Whether the site is reached from this machine only, so that a balance in money is only for show. */
export function isLocalSite({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  const name = publicUrl ? new URL(publicUrl).hostname : host
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name)
}

/** Gives some members points and a balance, through the ledger as everything. */
export async function giveBalances(tx: Db, members: readonly SampleMember[], people: People, hasCash: boolean): Promise<void> {
  if (hasCash) await setting.change(tx, 'allowCash', true, 'sample')
  if (hasCash && !isReachedFromNetwork()) await setting.change(tx, 'paymentProviders', ['sandbox'], 'sample')
  const staff = await tx.selectFrom('staff').select('id').orderBy('id').limit(1).executeTakeFirst()
  for (const { account, given, language } of members) {
    if (!given) continue
    const [to, reason] = [required(people, account).id, language === 'zh' ? '开张红包' : 'For the opening']
    await credit(tx, { to, currency: 'points', amount: amountOf('points', given.points), reason }, staff?.id)
    if (hasCash) await credit(tx, { to, currency: 'cny', amount: amountOf('cny', given.yuan), reason }, staff?.id)
  }
}

function amountOf(currency: Currency, text: string): Minor {
  const amount = parseAmount(currency, text)
  if (amount === null) throw new Error(`The sample gives ${text}, which is no amount`)
  return amount
}

type Gift = { to: string; currency: Currency; amount: Minor; reason: string }

/** Once a forum has staff, every gift needs a request of theirs. */
async function credit(tx: Db, { to, currency, amount, reason }: Gift, staffId: string | undefined): Promise<void> {
  const entry = { to, currency, amount, reason, by: { kind: 'forum' }, account: 'adjustment', origin: 'given' } as const
  if (staffId === undefined) {
    await wallet.credit(tx, { ...entry, kind: 'opening', source: `member:${to}:${currency}` })
    return
  }
  const { id } = await tx
    .selectNoFrom(sql<string>`nextval(pg_get_serial_sequence('money_request', 'id'))`.as('id'))
    .executeTakeFirstOrThrow()
  const posted = await wallet.credit(tx, { ...entry, kind: 'adjustment', source: `adjustment:${id}` })
  const sums = { points: currency === 'points' ? String(amount) : '0', cents: currency === 'cny' ? String(amount) : '0' }
  // In the past, so that it does not count towards the day's limit of staff.
  const request = {
    asked_by: staffId,
    asked_at: sql<Date>`clock_timestamp() - interval '30 days'`,
    decided_at: sql<Date>`clock_timestamp()`,
  }
  await tx
    .insertInto('money_request')
    .values({ id, kind: 'adjustment', member_id: to, ...sums, input: '{}', reason, state: 'done', transaction_id: posted.id, ...request })
    .execute()
  const { account } = await tx.selectFrom('staff').select('account').where('id', '=', staffId).executeTakeFirstOrThrow()
  const after = { [currency]: serializeAmount(currency, amount), requestId: id }
  await audit.note(tx, { id: staffId, account }, { ip: '' }, { action: 'wallet.adjust', about: `member ${to}`, reason, after })
}
