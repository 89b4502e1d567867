import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

const days = z.int().min(0).max(3_650)

// A pattern of wildcards alone would reserve every name; a pattern of other signs alone is no name.
const namesSomebody = (pattern: string) => /[\p{L}\p{N}]/u.test(pattern)

const houseInChinese = ['*管理员*', '*官方*', '*客服*', '*版主*', '*站长*', '系统', '茶馆*']
const houseInEnglish = [
  '*admin*',
  '*moderator*',
  '*official*',
  '*support*',
  '*teahouse*',
  'help',
  'root',
  'staff*',
  'system',
  'null',
  'undefined',
]

/** Names of members. */
export const settings = {
  /** Reserved names, with * for anything and ? for one character. */
  reservedNames: {
    group: 'accounts',
    schema: z
      .array(
        z
          .string()
          .min(1)
          .max(30)
          .refine(namesSomebody, { params: { code: 'user.namesEverybody' } }),
      )
      .max(1000),
    default: [...houseInEnglish, ...houseInChinese],
    aliases: 'banned names forbidden usernames 禁用用户名 保留用户名 禁止注册',
  },
  /** Minimum time between two changes of a nickname. 0: none. */
  nicknameChangeIntervalDays: { group: 'accounts', schema: days, default: 30 },
  /** How long a former nickname stays reserved. */
  formerNameHeldDays: { group: 'accounts', schema: days, default: 90 },
  /** How long a profile shows the former nickname. 0: not at all. */
  formerNameShownDays: { group: 'accounts', schema: days, default: 30 },
} as const satisfies SettingDeclarations
