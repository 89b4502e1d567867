import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** The decision about posts that wait for review. */
export const settings = {
  /** Stock reasons for rejecting a post: Chinese, a bar, English. */
  rejectReasons: {
    group: 'review',
    schema: z.array(plainString.min(1).max(400)).max(30),
    default: [
      '广告或推广 | It advertises something.',
      '攻击或辱骂他人 | It attacks or insults somebody.',
      '与这里的话题无关 | It is off topic here.',
      '含有违法或不当内容 | It is unlawful or unfit for this place.',
    ],
  },
} as const satisfies SettingDeclarations
