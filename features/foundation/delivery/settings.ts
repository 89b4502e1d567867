import { z } from 'zod'
import { normalizeEmail } from '#base/email-address.ts'
import { plainString } from '#base/plain-text.ts'
import type { SettingDeclarations } from '#base/setting.ts'

const code = (pattern: RegExp) => z.string().regex(pattern)

/** A calling code with optional leading digits, and the daily limit for it: 86 1000. */
const country = code(/^[1-9]\d{0,6} \d{1,6}$/)

/** An address, also of this machine. */
const sender = z
  .string()
  .overwrite((text) => normalizeEmail(text) ?? text)
  .refine((text) => normalizeEmail(text) !== null || /^([\w.+-]{1,64}@[A-Za-z0-9.-]{1,190})?$/.test(text), {
    params: { code: 'validation.pattern' },
  })

/** How e-mail and text messages are sent. */
export const settings = {
  /**
   * Without a provider no code is sent, and features that need one are not offered. An outbox keeps messages in memory, for a trial on the
   * forum's own machine.
   */
  emailProvider: { group: 'email', schema: z.enum(['none', 'smtp', 'outbox']), default: 'none', guarded: true },
  emailFrom: { group: 'email', schema: sender, default: '' },
  smtpHost: { group: 'email', schema: code(/^[A-Za-z0-9.:-]{0,253}$/), default: '', guarded: true },
  smtpPort: { group: 'email', schema: z.int().min(1).max(65_535), default: 465 },
  smtpSecurity: { group: 'email', schema: z.enum(['tls', 'startTls', 'none']), default: 'tls', guarded: true },
  smtpUser: { group: 'email', schema: plainString.max(200), default: '' },
  smtpPassword: { group: 'email', schema: z.string().max(200), default: '', sealed: true },
  dkimSelector: { group: 'email', schema: code(/^[A-Za-z0-9._-]{0,63}$/), default: '' },
  /** The DKIM private key in PEM; its public key is in the DNS of the sending domain. */
  dkimKey: { group: 'email', schema: z.string().max(8_000), default: '', sealed: true },
  emailsPerDay: { group: 'email', schema: z.int().min(0).max(1_000_000), default: 5_000 },
  /** The same for notifications, in a separate limit, so that they never use up the one of codes. */
  notificationEmailsPerDay: { group: 'email', schema: z.int().min(0).max(1_000_000), default: 5_000 },
  smsProvider: { group: 'sms', schema: z.enum(['none', 'aliyun', 'tencent', 'webhook', 'outbox']), default: 'none', guarded: true },
  /** The name in brackets before a text message, as registered with the provider. */
  smsSign: { group: 'sms', schema: plainString.max(40), default: '' },
  /** The provider's template id for codes, in each language. */
  smsCodeTemplateZh: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  smsCodeTemplateEn: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  /** The same for the notice that another number or e-mail address was bound; it says no more than that. */
  smsChangedTemplateZh: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  smsChangedTemplateEn: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  /** The same for the notice of a new password or login method. An empty one falls back to the other language. */
  smsPasswordTemplateZh: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  smsPasswordTemplateEn: { group: 'sms', schema: code(/^\w{0,40}$/), default: '' },
  smsKeyId: { group: 'sms', schema: code(/^[\w-]{0,100}$/), default: '' },
  smsAppId: { group: 'sms', schema: code(/^\d{0,20}$/), default: '' },
  smsWebhookUrl: { group: 'sms', schema: code(/^(https?:\/\/[^\s@]{1,400})?$/), default: '', guarded: true },
  smsSecret: { group: 'sms', schema: z.string().max(200), default: '', sealed: true },
  smsPerDay: { group: 'sms', schema: z.int().min(0).max(1_000_000), default: 1_000 },
  smsCountries: { group: 'sms', schema: z.array(country).max(300), default: ['86 1000'] },
  deliveryDays: { group: 'logs', schema: z.int().min(1).max(3650), default: 90 },
} as const satisfies SettingDeclarations
