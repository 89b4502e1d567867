import { z } from 'zod'
import { formattedText } from '#base/formatted-text.ts'
import { typedDigits } from '#base/typed-number.ts'
import type { SettingDeclarations } from '#base/setting.ts'

const yuan = formattedText(/^[1-9]\d{0,5}$/, 'payment.noYuan', typedDigits)
const number = typedDigits.regex(/^\d{0,32}$/)
const seller = formattedText(/^(2088\d{12})?$/, 'payment.noSeller')
const cents = z.int().min(1).max(99_999_999)

/** Top-ups of the balance, and the accounts at providers. */
export const settings = {
  /** Without a provider no payment is possible. The sandbox moves no money: it is for a trial on the forum's own machine. */
  paymentProviders: {
    group: 'payment',
    schema: z.array(z.enum(['sandbox', 'alipay', 'wechat', 'stripe'])).max(4),
    default: [] as string[],
    guarded: true,
    optionWords: 'provider',
    aliases: 'gateway pay deposit recharge test mode 支付方式 充值 收款 支付宝 微信支付 沙箱 测试',
  },
  /** Offered amounts, in whole yuan. */
  topUpAmounts: {
    group: 'payment',
    schema: z.array(yuan).max(12),
    default: ['10', '30', '50', '100', '200', '500'],
    aliases: 'recharge deposit presets 充值 金额 面额 档位',
  },
  minTopUpCents: {
    group: 'payment',
    schema: cents,
    default: 100,
    guarded: true,
    notAbove: 'maxTopUpCents',
    aliases: 'recharge deposit minimum 充值 最低 下限',
  },
  maxTopUpCents: {
    group: 'payment',
    schema: cents,
    default: 500_000,
    guarded: true,
    aliases: 'recharge deposit limit 充值 最高 上限 限额',
  },
  maxTopUpCentsPerDay: {
    group: 'payment',
    schema: cents,
    default: 2_000_000,
    guarded: true,
    aliases: 'recharge deposit daily limit 充值 每日 上限 限额',
  },
  /** The same within a day of registration. */
  maxTopUpCentsOnFirstDay: {
    group: 'payment',
    schema: cents,
    default: 50_000,
    guarded: true,
    aliases: 'recharge deposit limit new members fraud 充值 新成员 限额 风控',
  },
  alipayAppId: { group: 'payment', schema: number, default: '', guarded: true },
  /** Merchant id, the seller_id of a notification. */
  alipaySellerId: { group: 'payment', schema: seller, default: '', guarded: true },
  /** Private keys in PEM, to sign requests to providers. */
  alipayKey: { group: 'payment', schema: z.string().max(8_000), default: '', sealed: true },
  /** Alipay's own key, to verify its signatures; PEM or a single line. */
  alipayPublicKey: { group: 'payment', schema: z.string().max(4_000), default: '', guarded: true },
  wechatPayMerchantId: { group: 'payment', schema: number, default: '', guarded: true },
  wechatPayAppId: { group: 'payment', schema: formattedText(/^(wx[0-9a-f]{16})?$/, 'payment.noWechatApp'), default: '', guarded: true },
  /** Certificate of the merchant, in PEM: its serial number names the signing key of requests. */
  wechatPayCertificate: { group: 'payment', schema: z.string().max(8_000), default: '', guarded: true },
  wechatPayKey: { group: 'payment', schema: z.string().max(8_000), default: '', sealed: true },
  /** The key with which WeChat Pay encrypts notifications. */
  wechatPayV3Key: { group: 'payment', schema: formattedText(/^(\w{32})?$/, 'payment.noV3Key'), default: '', sealed: true },
  /** WeChat Pay's public key and its id; empty where it signs with certificates, which are downloaded. */
  wechatPayPublicKeyId: {
    group: 'payment',
    schema: formattedText(/^(PUB_KEY_ID_\d{1,60})?$/, 'payment.noPublicKeyId'),
    default: '',
    guarded: true,
  },
  wechatPayPublicKey: { group: 'payment', schema: z.string().max(4_000), default: '', guarded: true },
  /** Of the official account, through which WeChat identifies the payer within its app. */
  wechatPayAppSecret: { group: 'payment', schema: z.string().regex(/^\w{0,64}$/), default: '', sealed: true },
  stripeKey: {
    group: 'payment',
    schema: formattedText(/^((sk|rk)_(live|test)_\w{10,200})?$/, 'payment.noStripeKey'),
    default: '',
    sealed: true,
  },
  stripeWebhookSecret: {
    group: 'payment',
    schema: formattedText(/^(whsec_\S{10,200})?$/, 'payment.noWebhookSecret'),
    default: '',
    sealed: true,
  },
} as const satisfies SettingDeclarations
