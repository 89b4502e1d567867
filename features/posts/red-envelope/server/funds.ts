import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { AboveMinorLimit, CashOwed, CashShort, PointsOwed, PointsShort } from '#red-envelope/contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { toMinor, toYuan, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Refuses, at its field, an amount that the giver lacks or cannot spend because of a debt, or one above a minor's cap. */
export async function requireFunds(tx: Db, giver: Member, { currency, amount }: { currency: Currency; amount: Minor }): Promise<void> {
  await wallet.lockAccounts(tx, giver.id)
  const { balance, owed } = (await wallet.accountsOf(tx, giver.id))[currency]
  const missing = amount - balance
  if (currency === 'points') {
    if (owed > 0n) throw PointsOwed({ owed: Number(owed) })
    if (missing > 0n) throw PointsShort({ missing: Number(missing) })
    return
  }
  const cap = await wallet.exceededCap(tx, giver.id, { once: amount })
  if (cap) throw AboveMinorLimit(cap)
  if (owed > 0n) throw CashOwed({ owed: toYuan(owed) })
  if (missing > 0n) throw CashShort({ missing: toYuan(toMinor(missing)) })
  await secondFactor.requireRecentProof(tx, giver)
}
