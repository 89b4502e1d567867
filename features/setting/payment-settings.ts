import { z } from 'zod'

/** Text of a form that is the provider's own: the refusal says how it looks. */
export function formed(form: RegExp, code: string) {
  return z.string().refine((text) => form.test(text), { params: { code } })
}

const yuan = formed(/^[1-9]\d{0,5}$/, 'setting.noYuan')
const number = z.string().regex(/^\d{0,32}$/)
const seller = formed(/^(2088\d{12})?$/, 'setting.noSeller')
const cents = z.int().min(1).max(99_999_999)

/** How members top up their balance. What of it is secret lies among the sealed settings. */
export const paymentSettings = {
  /** Without any nobody can pay. The sandbox moves no money: it is for those who try the forum out on its own machine. */
  paymentProviders: { takes: z.array(z.enum(['sandbox', 'alipay', 'wechat', 'stripe'])).max(4), standard: [] as string[] },
  alipayAppId: { takes: number, standard: '' },
  /** Of the merchant, which a notification names as seller_id. */
  alipaySellerId: { takes: seller, standard: '' },
  /** Alipay's own, which it signs by; as PEM or in one line. */
  alipayPublicKey: { takes: z.string().max(4_000), standard: '' },
  wechatPayMerchantId: { takes: number, standard: '' },
  wechatPayAppId: { takes: formed(/^(wx[0-9a-f]{16})?$/, 'setting.noWechatApp'), standard: '' },
  /** Of the merchant, in PEM: its number names the key that requests are signed with. */
  wechatPayCertificate: { takes: z.string().max(8_000), standard: '' },
  /** WeChat Pay's public key and its number; empty where it signs by certificates, which are asked for. */
  wechatPayPublicKeyId: { takes: formed(/^(PUB_KEY_ID_\d{1,60})?$/, 'setting.noPublicKeyId'), standard: '' },
  wechatPayPublicKey: { takes: z.string().max(4_000), standard: '' },
  /** Amounts that are offered, in whole yuan. */
  topUpAmounts: { takes: z.array(yuan).max(12), standard: ['10', '30', '50', '100', '200', '500'] },
  minTopUpCents: { takes: cents, standard: 100 },
  maxTopUpCents: { takes: cents, standard: 500_000 },
  maxTopUpCentsPerDay: { takes: cents, standard: 2_000_000 },
  /** The same for those who registered within the last day. */
  maxTopUpCentsOnFirstDay: { takes: cents, standard: 50_000 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>

/** What each provider that moves money works with; some of it is sealed. */
export const neededByProvider = {
  alipay: ['alipayAppId', 'alipaySellerId', 'alipayKey', 'alipayPublicKey'],
  wechat: ['wechatPayMerchantId', 'wechatPayAppId', 'wechatPayCertificate', 'wechatPayKey', 'wechatPayV3Key'],
  stripe: ['stripeKey', 'stripeWebhookSecret'],
} as const

/** What staff find together, with what of it lies sealed. */
export const paymentGroup = [
  'paymentProviders',
  'topUpAmounts',
  'minTopUpCents',
  'maxTopUpCents',
  'maxTopUpCentsPerDay',
  'maxTopUpCentsOnFirstDay',
  'alipayAppId',
  'alipaySellerId',
  'alipayKey',
  'alipayPublicKey',
  'wechatPayMerchantId',
  'wechatPayAppId',
  'wechatPayCertificate',
  'wechatPayKey',
  'wechatPayV3Key',
  'wechatPayPublicKeyId',
  'wechatPayPublicKey',
  'wechatPayAppSecret',
  'stripeKey',
  'stripeWebhookSecret',
] as const
