import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Limits of verification codes. */
export const settings = {
  /**
   * Codes per number or e-mail address and day, over all requesters; per hour half of them. Each browser of the owner has the same limit of
   * its own.
   */
  verificationCodesPerDay: {
    group: 'accounts',
    schema: z.int().min(1).max(100),
    default: 10,
    aliases: 'sms limit verification code resend 短信次数 验证码次数 每日验证码',
  },
  /** Codes per network and day; per hour a third of them. */
  verificationCodesPerNetworkPerDay: {
    group: 'accounts',
    schema: z.int().min(1).max(100_000),
    default: 60,
    aliases: 'sms limit verification code ip nat toll fraud 短信轰炸 验证码次数 同一 IP',
  },
} as const satisfies SettingDeclarations
