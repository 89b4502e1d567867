import { z } from 'zod'
import { formed } from '#setting/payment-settings.ts'

/** Passwords and keys: they lie sealed in the database, staff replace or remove them, and no read gives them back. Empty: there is none. */
export const sealedSettings = {
  /** What Baidu gave the site for telling it of new topics. */
  baiduToken: { takes: z.string().regex(/^[A-Za-z0-9]{0,64}$/), standard: '' },
  smtpPassword: { takes: z.string().max(200), standard: '' },
  /** A private key in PEM, whose public half stands in the DNS of the domain that sends. */
  dkimKey: { takes: z.string().max(8_000), standard: '' },
  /** Of whom checks identities. */
  identitySecret: { takes: z.string().max(200), standard: '' },
  /** Private keys in PEM that requests to providers are signed with. */
  alipayKey: { takes: z.string().max(8_000), standard: '' },
  wechatPayKey: { takes: z.string().max(8_000), standard: '' },
  /** What WeChat Pay encrypts notifications with. */
  wechatPayV3Key: { takes: formed(/^(\w{32})?$/, 'setting.noV3Key'), standard: '' },
  /** Of the official account, by which WeChat names the payer within its app. */
  wechatPayAppSecret: { takes: z.string().regex(/^\w{0,64}$/), standard: '' },
  stripeKey: { takes: formed(/^((sk|rk)_(live|test)_\w{10,200})?$/, 'setting.noStripeKey'), standard: '' },
  stripeWebhookSecret: { takes: formed(/^(whsec_\S{10,200})?$/, 'setting.noWebhookSecret'), standard: '' },
  smsSecret: { takes: z.string().max(200), standard: '' },
} as const
