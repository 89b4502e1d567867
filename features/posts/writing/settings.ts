import { z } from 'zod'
import { plainTools, richTools } from '#base/editor-tools.ts'
import type { SettingDeclarations } from '#base/setting.ts'

/** Posts held for review: none; all; those of members without the right to skip review; those of the same members with a sensitive word. */
const reviewed = {
  group: 'review',
  schema: z.enum(['nobody', 'everybody', 'members', 'words']),
  default: 'words',
  optionWords: 'held',
  aliases: 'moderation approval premoderation 先审后发 审帖 人工审核',
} as const

/** Limits of posts of every kind, the editors, and which posts are held for review. */
export const settings = {
  /** Length of a title, in characters. */
  minTitleLength: { group: 'posting', schema: z.int().min(1).max(30), default: 4 },
  maxTitleLength: { group: 'posting', schema: z.int().min(30).max(90), default: 90 },
  /** Minimum length of a text, in characters as people count them. A post with a picture or file is long enough. */
  minTopicLength: { group: 'posting', schema: z.int().min(1).max(1000), default: 2, aliases: 'length limit characters 字数限制' },
  /** Maximum length of a text. */
  maxTopicLength: { group: 'posting', schema: z.int().min(1000).max(50_000), default: 50_000, aliases: 'length limit characters 字数限制' },
  minCommentLength: { group: 'posting', schema: z.int().min(1).max(500), default: 1 },
  maxCommentLength: { group: 'posting', schema: z.int().min(500).max(20_000), default: 20_000 },
  minReplyLength: { group: 'posting', schema: z.int().min(1).max(100), default: 1 },
  maxReplyLength: { group: 'posting', schema: z.int().min(100).max(2_000), default: 2_000 },
  /** Minimum time between two topics of a member, and between two comments or replies. 0: none. */
  secondsBetweenTopics: {
    group: 'posting',
    schema: z.int().min(0).max(3600),
    default: 10,
    aliases: 'flood rate limit throttle cooldown 防灌水 灌水 发帖间隔 频率',
  },
  secondsBetweenComments: {
    group: 'posting',
    schema: z.int().min(0).max(3600),
    default: 3,
    aliases: 'flood rate limit throttle cooldown 防灌水 灌水 回帖间隔 频率',
  },
  /** Window in which a member may not repeat a post. 0: none. */
  duplicateWindowHours: { group: 'posting', schema: z.int().min(0).max(168), default: 24, aliases: 'flood duplicate spam 重复发帖 灌水' },
  mentionsPerPost: { group: 'posting', schema: z.int().min(0).max(30), default: 30 },
  /** Tools of the editors. A hidden tool does not restrict the content, and existing content stays. */
  topicTools: { group: 'editor', schema: z.array(z.enum(richTools)).max(30), default: [...richTools] },
  commentTools: { group: 'editor', schema: z.array(z.enum(richTools)).max(30), default: [...richTools] },
  replyTools: { group: 'editor', schema: z.array(z.enum(plainTools)).max(30), default: [...plainTools] },
  reviewTopics: reviewed,
  reviewComments: reviewed,
  reviewReplies: reviewed,
  reviewQuestions: reviewed,
  reviewAnswers: reviewed,
  reviewAnswerReplies: reviewed,
  /** A member is new until they reach this age in days and this number of posts. 0 and 0: never. */
  newMemberDays: {
    group: 'newMembers',
    schema: z.int().min(0).max(365),
    default: 1,
    aliases: 'trust level newbie probation 新手 新手期 见习 等级',
  },
  newMemberPosts: { group: 'newMembers', schema: z.int().min(0).max(1000), default: 3 },
  /** External links and pictures per post of a new member. */
  newMemberLinks: { group: 'newMembers', schema: z.int().min(0).max(100), default: 2, aliases: 'spam urls external 外链 广告' },
  newMemberPictures: { group: 'newMembers', schema: z.int().min(0).max(50), default: 9 },
  /** Minimum time between two posts of a new member. */
  newMemberSecondsBetweenTopics: { group: 'newMembers', schema: z.int().min(0).max(3600), default: 60 },
  newMemberSecondsBetweenComments: { group: 'newMembers', schema: z.int().min(0).max(3600), default: 10 },
} as const satisfies SettingDeclarations
