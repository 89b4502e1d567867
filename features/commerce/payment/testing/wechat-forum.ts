import { transact, type Db } from '#base/server/database/database.ts'
import type { Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { setStandIns } from '#payment/server/providers.ts'
import type { WechatKeys } from '#payment/server/providers/wechat.ts'
import type { Message, Wechat } from '#payment/testing/wechat.ts'
import * as setting from '#setting/server/setting.ts'

/** Enables WeChat Pay in a forum with this stand-in; `other` overrides keys. */
export async function withWechat({ database }: Forum, desk: Wechat, other: Partial<WechatKeys> = {}): Promise<void> {
  await transact(database, (tx) => turnOn(tx, desk, other))
  database.invalidations.announce(new Set(['setting', 'everything']))
}

/** Does the same within a transaction. */
export async function turnOn(tx: Db, desk: Wechat, other: Partial<WechatKeys> = {}): Promise<void> {
  const keys = { ...desk.keys, ...other }
  await applySettings(tx, {
    allowCash: true,
    paymentProviders: ['wechat'],
    maxTopUpCentsPerDay: 99_999_999,
    maxTopUpCentsOnFirstDay: 99_999_999,
    wechatPayMerchantId: keys.merchantId,
    wechatPayAppId: keys.appId,
    wechatPayCertificate: keys.certificate,
    wechatPayPublicKeyId: keys.publicKeyId,
    wechatPayPublicKey: keys.publicKey,
  })
  await setting.changeSealed(tx, 'wechatPayKey', keys.key, 'test')
  await setting.changeSealed(tx, 'wechatPayV3Key', keys.v3Key, 'test')
  await setting.changeSealed(tx, 'wechatPayAppSecret', keys.appSecret, 'test')
  setStandIns({ wechat: desk.address })
}

/** Sends a notification to a forum, and returns the response's status and code. */
export async function sendTo({ app }: Pick<Forum, 'app'>, { headers, body }: Message): Promise<[number, string]> {
  const typed = { 'content-type': 'application/json', ...headers }
  const answer = await app.inject({ method: 'POST', url: '/hook/payment/wechat', headers: typed, payload: body })
  return [answer.statusCode, answer.json<{ code: string }>().code]
}
