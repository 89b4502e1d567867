import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { currencies, type Currency } from '#wallet/contract.ts'

/** What lists tell of: no money, where the site has no balance. The books keep it, and are checked with it. */
export async function shownCurrencies(db: Db): Promise<readonly Currency[]> {
  const { allowCash } = await setting.all(db)
  return currencies.filter((currency) => allowCash || currency !== 'cny')
}
