import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { currencies, type Currency } from '#wallet/contract.ts'

/** The currencies in lists: no money on a site without balances, although the ledger keeps and checks it. */
export async function visibleCurrencies(db: Db): Promise<readonly Currency[]> {
  const { allowCash } = await setting.all(db)
  return currencies.filter((currency) => allowCash || currency !== 'cny')
}
