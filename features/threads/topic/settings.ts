import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** Topics and their lists. */
export const settings = {
  allowTopics: { group: 'open', schema: z.boolean(), default: true },
  allowTopicEdits: { group: 'open', schema: z.boolean(), default: true },
  /** Tags per question. The first one decides who may see it. */
  maxQuestionTags: { group: 'posting', schema: z.int().min(1).max(10), default: 5 },
  topicsPerPage: { group: 'lists', schema: z.int().min(5).max(100), default: 30, aliases: 'pagination page size 分页 每页帖子' },
  /** Whether lists show an excerpt of topics without a picture. */
  listExcerpts: { group: 'lists', schema: z.boolean(), default: true, aliases: 'summary preview snippet 摘要 预览' },
} as const satisfies SettingDeclarations
