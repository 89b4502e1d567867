import { z } from 'zod'
import { formatted } from '#setting/payment-settings.ts'

/** Passwords and keys: stored encrypted, write-only for staff, returned by no read. Empty: not set. */
export const sealedSettings = {
  /** Baidu's token for submitting new topics. */
  baiduToken: { schema: z.string().regex(/^[A-Za-z0-9]{0,64}$/), standard: '' },
  smtpPassword: { schema: z.string().max(200), standard: '' },
  /** The DKIM private key in PEM; its public key is in the DNS of the sending domain. */
  dkimKey: { schema: z.string().max(8_000), standard: '' },
  /** Of the identity provider. */
  realNameSecret: { schema: z.string().max(200), standard: '' },
  /** Private keys in PEM, to sign requests to providers. */
  alipayKey: { schema: z.string().max(8_000), standard: '' },
  wechatPayKey: { schema: z.string().max(8_000), standard: '' },
  /** The key with which WeChat Pay encrypts notifications. */
  wechatPayV3Key: { schema: formatted(/^(\w{32})?$/, 'setting.noV3Key'), standard: '' },
  /** Of the official account, through which WeChat identifies the payer within its app. */
  wechatPayAppSecret: { schema: z.string().regex(/^\w{0,64}$/), standard: '' },
  stripeKey: { schema: formatted(/^((sk|rk)_(live|test)_\w{10,200})?$/, 'setting.noStripeKey'), standard: '' },
  stripeWebhookSecret: { schema: formatted(/^(whsec_\S{10,200})?$/, 'setting.noWebhookSecret'), standard: '' },
  smsSecret: { schema: z.string().max(200), standard: '' },
} as const
