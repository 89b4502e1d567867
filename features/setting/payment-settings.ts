import { z } from 'zod'

/** A text in the provider's own format: the refusal describes it. */
export function formatted(form: RegExp, code: string) {
  return z.string().refine((text) => form.test(text), { params: { code } })
}

const yuan = formatted(/^[1-9]\d{0,5}$/, 'setting.noYuan')
const number = z.string().regex(/^\d{0,32}$/)
const seller = formatted(/^(2088\d{12})?$/, 'setting.noSeller')
const cents = z.int().min(1).max(99_999_999)

/** Top-ups of the balance. Secrets are among the sealed settings. */
export const paymentSettings = {
  /** Without a provider no payment is possible. The sandbox moves no money: it is for a trial on the forum's own machine. */
  paymentProviders: { schema: z.array(z.enum(['sandbox', 'alipay', 'wechat', 'stripe'])).max(4), standard: [] as string[] },
  alipayAppId: { schema: number, standard: '' },
  /** Merchant id, the seller_id of a notification. */
  alipaySellerId: { schema: seller, standard: '' },
  /** Alipay's own key, to verify its signatures; PEM or a single line. */
  alipayPublicKey: { schema: z.string().max(4_000), standard: '' },
  wechatPayMerchantId: { schema: number, standard: '' },
  wechatPayAppId: { schema: formatted(/^(wx[0-9a-f]{16})?$/, 'setting.noWechatApp'), standard: '' },
  /** Certificate of the merchant, in PEM: its serial number names the signing key of requests. */
  wechatPayCertificate: { schema: z.string().max(8_000), standard: '' },
  /** WeChat Pay's public key and its id; empty where it signs with certificates, which are downloaded. */
  wechatPayPublicKeyId: { schema: formatted(/^(PUB_KEY_ID_\d{1,60})?$/, 'setting.noPublicKeyId'), standard: '' },
  wechatPayPublicKey: { schema: z.string().max(4_000), standard: '' },
  /** Offered amounts, in whole yuan. */
  topUpAmounts: { schema: z.array(yuan).max(12), standard: ['10', '30', '50', '100', '200', '500'] },
  minTopUpCents: { schema: cents, standard: 100 },
  maxTopUpCents: { schema: cents, standard: 500_000 },
  maxTopUpCentsPerDay: { schema: cents, standard: 2_000_000 },
  /** The same within a day of registration. */
  maxTopUpCentsOnFirstDay: { schema: cents, standard: 50_000 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>

/** Required settings of each provider that moves money; some are sealed. */
export const neededByProvider = {
  alipay: ['alipayAppId', 'alipaySellerId', 'alipayKey', 'alipayPublicKey'],
  wechat: ['wechatPayMerchantId', 'wechatPayAppId', 'wechatPayCertificate', 'wechatPayKey', 'wechatPayV3Key'],
  stripe: ['stripeKey', 'stripeWebhookSecret'],
} as const

/** The settings group of payments, with its sealed settings. */
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
