import { Missing, type ParsedInput } from '#base/contract.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import * as contract from '#payment/contract.ts'
import { orderedAs } from '#payment/server/order.ts'
import { show } from '#payment/server/own.ts'
import { wechatOf } from '#payment/server/providers.ts'
import type { InWeChat } from '#payment/server/providers/wechat.ts'
import * as setting from '#setting/server/setting.ts'

/** Continues a member's payment inside WeChat, outside a transaction: WeChat identifies the payer and creates the payment for them. */
export async function continueInside({
  db,
  viewer,
  input: { number, ...payer },
  client,
}: PrepareContext<ParsedInput<typeof contract.continueInWeChat>, Member>): Promise<InWeChat> {
  const its = await show(db, viewer, number)
  if (its.provider !== 'wechat' || its.method !== 'inApp') throw Missing()
  const { cents, expires_at: expiresAt } = await db
    .selectFrom('payment_order')
    .select(['cents', 'expires_at'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  if (its.state !== 'open' || expiresAt <= new Date()) throw contract.NotOpen()
  const provider = await wechatOf(db)
  if (!provider) throw contract.NoSuchWay()
  const { title } = await setting.all(db)
  const order = orderedAs({ number, cents: BigInt(cents), provider: its.provider, method: its.method, expiresAt }, title, client.ip)
  try {
    const given = await provider.continueInside(order, payer)
    if (!given) throw contract.PayerUnknown()
    return given
  } catch (error) {
    throw error instanceof RequestFailed ? contract.ProviderAway() : error
  }
}
