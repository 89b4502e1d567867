import { z } from 'zod'

/** Passwords and keys: they lie sealed in the database, staff replace or remove them, and no read gives them back. Empty: there is none. */
export const sealedSettings = {
  /** What Baidu gave the site for telling it of new topics. */
  baiduToken: { takes: z.string().regex(/^[A-Za-z0-9]{0,64}$/), standard: '' },
} as const
