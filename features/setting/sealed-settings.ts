import { z } from 'zod'

/** Passwords and keys: they lie sealed in the database, staff replace or remove them, and no read gives them back. Empty: there is none. */
export const sealedSettings = {
  /** What Baidu gave the site for telling it of new topics. */
  baiduToken: { takes: z.string().regex(/^[A-Za-z0-9]{0,64}$/), standard: '' },
  smtpPassword: { takes: z.string().max(200), standard: '' },
  /** A private key in PEM, whose public half stands in the DNS of the domain that sends. */
  dkimKey: { takes: z.string().max(8_000), standard: '' },
  /** Of whom checks identities. */
  identitySecret: { takes: z.string().max(200), standard: '' },
  smsSecret: { takes: z.string().max(200), standard: '' },
} as const
