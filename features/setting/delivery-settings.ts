import { z } from 'zod'
import { normalizeEmail } from '#base/email-address.ts'
import { plainString } from '#base/plain-text.ts'

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

/** How e-mail and text messages are sent. Secrets are among the sealed settings. */
export const deliverySettings = {
  /**
   * Without a provider no code is sent, and features that need one are not offered. An outbox keeps messages in memory, for a trial on the
   * forum's own machine.
   */
  emailProvider: { schema: z.enum(['none', 'smtp', 'outbox']), standard: 'none' },
  emailFrom: { schema: sender, standard: '' },
  smtpHost: { schema: code(/^[A-Za-z0-9.:-]{0,253}$/), standard: '' },
  smtpPort: { schema: z.int().min(1).max(65_535), standard: 465 },
  smtpSecurity: { schema: z.enum(['tls', 'startTls', 'none']), standard: 'tls' },
  smtpUser: { schema: plainString.max(200), standard: '' },
  dkimSelector: { schema: code(/^[A-Za-z0-9._-]{0,63}$/), standard: '' },
  emailsPerDay: { schema: z.int().min(0).max(1_000_000), standard: 5_000 },
  /** The same for notifications, in a separate limit, so that they never use up the one of codes. */
  notificationEmailsPerDay: { schema: z.int().min(0).max(1_000_000), standard: 5_000 },
  smsProvider: { schema: z.enum(['none', 'aliyun', 'tencent', 'webhook', 'outbox']), standard: 'none' },
  /** The name in brackets before a text message, as registered with the provider. */
  smsSign: { schema: plainString.max(40), standard: '' },
  /** The provider's template id for codes, in each language. */
  smsCodeTemplateZh: { schema: code(/^\w{0,40}$/), standard: '' },
  smsCodeTemplateEn: { schema: code(/^\w{0,40}$/), standard: '' },
  /** The same for the notice that another number or e-mail address was bound; it says no more than that. */
  smsChangedTemplateZh: { schema: code(/^\w{0,40}$/), standard: '' },
  smsChangedTemplateEn: { schema: code(/^\w{0,40}$/), standard: '' },
  /** The same for the notice of a new password or login method. An empty one falls back to the other language. */
  smsPasswordTemplateZh: { schema: code(/^\w{0,40}$/), standard: '' },
  smsPasswordTemplateEn: { schema: code(/^\w{0,40}$/), standard: '' },
  smsKeyId: { schema: code(/^[\w-]{0,100}$/), standard: '' },
  smsAppId: { schema: code(/^\d{0,20}$/), standard: '' },
  smsWebhookUrl: { schema: code(/^(https?:\/\/[^\s@]{1,400})?$/), standard: '' },
  smsPerDay: { schema: z.int().min(0).max(1_000_000), standard: 1_000 },
  smsCountries: { schema: z.array(country).max(300), standard: ['86 1000'] },
  deliveryDays: { schema: z.int().min(1).max(3650), standard: 90 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
