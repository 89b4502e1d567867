import { z } from 'zod'
import { registrationModes } from '#base/registration-modes.ts'
import type { SettingDeclarations } from '#base/setting.ts'

const loginMethods = z
  .array(z.enum(['account', 'phone', 'email']))
  .min(1)
  .max(3)

/** Registration, login, the second factor of staff, and retention of logins. */
export const settings = {
  allowRegistrations: {
    group: 'open',
    schema: z.boolean(),
    default: true,
    guarded: true,
    aliases: 'signup sign up close registration 关闭注册 开放注册 停止注册',
  },
  /** Registration: open, by invitation code, or with approval by staff. */
  registrationMode: {
    group: 'accounts',
    schema: z.enum(registrationModes),
    default: 'open',
    guarded: true,
    aliases: 'signup invite only invitation approval approve moderate 邀请注册 邀请码 审核注册 注册审核',
  },
  /** Methods to register. */
  allowRegisterAccountType: {
    group: 'accounts',
    schema: loginMethods,
    default: ['account'],
    guarded: true,
    optionWords: 'way',
    channels: ['email', 'sms'],
    aliases: 'signup sign up phone mobile email sms 手机注册 邮箱注册 短信注册',
  },
  /** Methods to log in. Members who lose their only method cannot log in, so staff should add one before they remove one. */
  allowLoginAccountType: {
    group: 'accounts',
    schema: loginMethods,
    default: ['account'],
    guarded: true,
    optionWords: 'way',
    channels: ['email', 'sms'],
  },
  registerCaptcha: { group: 'accounts', schema: z.boolean(), default: true, guarded: true, aliases: 'signup bot 人机验证 防机器' },
  /** Failed logins of one account or address within a minute, after which a captcha is required. 0: always. */
  loginCaptchaAfter: {
    group: 'accounts',
    schema: z.int().min(0).max(100),
    default: 3,
    aliases: 'brute force lockout 人机验证 防爆破 密码错误',
  },
  /** Failed logins of an account within an hour, after which only remembered browsers may try; four times as many within a day. */
  failedLoginsPerHour: {
    group: 'accounts',
    schema: z.int().min(5).max(1_000),
    default: 50,
    aliases: 'brute force lockout lock account 登录锁定 防爆破 密码错误次数',
  },
  /** The same per network, over all accounts. */
  failedLoginsPerNetworkPerHour: {
    group: 'accounts',
    schema: z.int().min(5).max(100_000),
    default: 200,
    aliases: 'brute force credential stuffing ip nat 撞库 防爆破 同一 IP',
  },
  /** Registrations per address and day. 0: no limit. */
  registrationsPerDay: {
    group: 'accounts',
    schema: z.int().min(0).max(10_000),
    default: 20,
    guarded: true,
    aliases: 'signup limit ip rate 注册限制 同一 IP',
  },
  /** Whether the hint question of an account resets the password. It is weaker than a code. */
  recoverByHint: { group: 'accounts', schema: z.boolean(), default: false, guarded: true },
  /** Days for which new terms can be postponed; afterwards members who have not agreed can read but not write. 0: none. */
  termsGraceDays: { group: 'accounts', schema: z.int().min(0).max(365), default: 30 },
  /** Whether staff must have a second factor before any action. */
  staffSecondFactor: {
    group: 'accounts',
    schema: z.boolean(),
    default: false,
    guarded: true,
    aliases: 'two-factor two factor 2fa mfa totp 二次验证 双重验证 双因素',
  },
  /** The same for administrators alone, on a site that other machines can reach. */
  administratorSecondFactor: {
    group: 'accounts',
    schema: z.boolean(),
    default: true,
    guarded: true,
    aliases: 'two-factor two factor 2fa mfa totp admin 二次验证 双重验证 双因素',
  },
  /** Retention of the login log of members and staff. 0: for ever. */
  loginLogDays: { group: 'logs', schema: z.int().min(0).max(3650), default: 365 },
  /** Retention of failed logins; a captcha needs only minutes of them. */
  failedLoginDays: { group: 'logs', schema: z.int().min(1).max(365), default: 1 },
} as const satisfies SettingDeclarations
