import { Missing, type ParsedInput } from '#base/contract.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import * as contract from '#payment/contract.ts'
import { orderRequest } from '#payment/server/order.ts'
import { show } from '#payment/server/member-payments.ts'
import { wechatOf } from '#payment/server/providers.ts'
import type { JsapiParams } from '#payment/server/providers/wechat.ts'
import * as setting from '#setting/server/setting.ts'

/** Continues a member's payment inside WeChat, outside a transaction: WeChat identifies the payer and creates the payment for them. */
export async function continueInside({
  db,
  viewer,
  input: { number, ...payer },
  client,
}: PrepareContext<ParsedInput<typeof contract.continueInWeChat>, Member>): Promise<JsapiParams> {
  const payment = await show(db, viewer, number)
  if (payment.provider !== 'wechat' || payment.method !== 'inApp') throw Missing()
  const { cents, expires_at: expiresAt } = await db
    .selectFrom('payment_order')
    .select(['cents', 'expires_at'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  if (payment.state !== 'open' || expiresAt <= new Date()) throw contract.NotOpen()
  const provider = await wechatOf(db)
  if (!provider) throw contract.MethodUnavailable()
  const { title } = await setting.all(db)
  const order = orderRequest(
    { number, cents: BigInt(cents), provider: payment.provider, method: payment.method, expiresAt },
    title,
    client.ip,
  )
  try {
    const params = await provider.continueInside(order, payer)
    if (!params) throw contract.PayerUnknown()
    return params
  } catch (error) {
    throw error instanceof RequestFailed ? contract.ProviderUnavailable() : error
  }
}
