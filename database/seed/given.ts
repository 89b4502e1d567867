import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database.ts'
import type { SampleMember } from '#database/sample/read.ts'
import type { People } from '#database/seed/document.ts'
import { found } from '#database/seed/found.ts'
import * as setting from '#setting/server/setting.ts'
import { amountIn, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Whether nobody but this machine comes here, so that a balance in money is for looking at alone. */
export function isForOneself({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  const name = publicUrl ? new URL(publicUrl).hostname : host
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name)
}

/** Lets some members have points and a balance to look at, the one way there is. */
export async function give(tx: Db, members: readonly SampleMember[], people: People, hasCash: boolean): Promise<void> {
  if (hasCash) await setting.change(tx, 'allowCash', true, 'sample')
  // What was known before says that there is no balance.
  setting.forget()
  for (const { account, given, language } of members) {
    if (!given) continue
    const reason = language === 'zh' ? '开张红包' : 'For the opening'
    await credit(tx, found(people, account).id, 'points', given.points, reason)
    if (hasCash) await credit(tx, found(people, account).id, 'cny', given.yuan, reason)
  }
}

async function credit(tx: Db, to: string, currency: Currency, text: string, reason: string): Promise<void> {
  const amount = amountIn(currency, text)
  if (amount === null) throw new Error(`The sample gives ${text}, which is no amount`)
  const cause = { kind: 'opening', source: `member:${to}:${currency}`, by: { kind: 'forum' }, reason } as const
  await wallet.credit(tx, { ...cause, to, currency, amount, account: 'adjustment', origin: 'given' })
}
