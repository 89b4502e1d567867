import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Polls of topics and questions. */
export const settings = {
  /** Options per poll. 0 turns polls off: none is added, and none takes votes. */
  maxPollOptions: {
    group: 'posting',
    schema: z.int().min(0).max(50),
    default: 10,
    aliases: 'poll vote survey ballot 投票 表决 调查 问卷',
  },
} as const satisfies SettingDeclarations
