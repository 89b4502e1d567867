import { z } from 'zod'
import { attachmentKinds } from '#base/attachment-kinds.ts'
import { siteStates } from '#base/contract.ts'
import type { BrandPicture } from '#base/branding.ts'
import { isMainColour } from '#base/main-colour.ts'
import { plainString } from '#base/plain-text.ts'
import { isTimeZone } from '#base/time-zone.ts'
import { plainTools, richTools } from '#base/editor-tools.ts'
import { aboutSettings } from './about-settings.ts'
import { contactSettings } from './contact-settings.ts'
import { deliverySettings } from './delivery-settings.ts'
import { listSettings } from './list-settings.ts'
import { assistantSettings } from './assistant-settings.ts'
import { messageSettings } from './message-settings.ts'
import { moneySettings } from './money-settings.ts'
import { nameSettings } from './name-settings.ts'
import { realNameSettings } from './real-name-settings.ts'
import { sealedSettings } from './sealed-settings.ts'

const title = plainString.min(1).max(200)

const picture = z.object({ file: z.string(), width: z.int(), height: z.int() }).nullable()
const noPicture = null as BrandPicture | null
const reviewMode = z.enum(['nobody', 'everybody', 'members', 'words'])

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

/** Every setting with its schema and default. */
export const settings = {
  title: { schema: title, standard: '茶馆 Teahouse' },
  /** Replaces the default green, as #rrggbb; darkened or lightened where contrast is too low. Empty: green. */
  mainColour: { schema: z.string().refine(isMainColour, { params: { code: 'setting.noColour' } }), standard: '' },
  /** Logos, in place of the name or beside it, for light and dark backgrounds; and the icon of tabs and home screens. */
  logo: { schema: picture, standard: noPicture },
  logoDark: { schema: picture, standard: noPicture },
  icon: { schema: picture, standard: noPicture },
  keywords: { schema: plainString.max(200), standard: '论坛, 问答, forum, questions' },
  description: { schema: plainString.max(200), standard: '一间安静的社区茶馆。A quiet place to write and read.' },
  /** Languages on offer. Where the default is not among them, the first one is the default. */
  languages: {
    schema: z
      .array(z.enum(['zh_CN', 'en_US']))
      .min(1)
      .max(2),
    standard: ['zh_CN', 'en_US'],
  },
  /** Empty: the language of the browser. */
  defaultLanguage: { schema: z.enum(['zh_CN', 'en_US', '']), standard: 'zh_CN' },
  /** The time zone of calendar days: in statistics, the hour of backups, and daily limits. */
  timeZone: { schema: z.string().refine(isTimeZone, { params: { code: 'setting.noTimeZone' } }), standard: 'Asia/Shanghai' },
  /** Read-only refuses writes of members; closed shows them the text below and nothing else. Staff keep working in the administration. */
  siteState: { schema: z.enum(siteStates), standard: 'open' },
  closedTextZh: { schema: plainString.max(2000), standard: '茶馆正在整理，很快回来。' },
  closedTextEn: { schema: plainString.max(2000), standard: 'The forum is being tidied up, and will be back soon.' },
  ...aboutSettings,
  /** Licence numbers that the law requires in the footer of every page in China. Empty: not shown. */
  icpNumber: { schema: plainString.max(60), standard: '' },
  policeNumber: { schema: plainString.max(60), standard: '' },
  licence: { schema: plainString.max(120), standard: '' },
  /** 1: all devices, 2: desktops, 3: phones. */
  supportAccessDevice: { schema: z.int().min(1).max(3), standard: 1 },
  /** 0: files on disk; 10, 20, 30: an S3-compatible store. */
  fileStorageSystem: { schema: z.literal([0, 10, 20, 30]), standard: 0 },
  /** Days for which new terms can be postponed; afterwards members who have not agreed can read but not write. 0: none. */
  termsGraceDays: { schema: z.int().min(0).max(365), standard: 30 },
  allowRegistrations: { schema: z.boolean(), standard: true },
  allowTopics: { schema: z.boolean(), standard: true },
  allowTopicEdits: { schema: z.boolean(), standard: true },
  allowComments: { schema: z.boolean(), standard: true },
  allowReplies: { schema: z.boolean(), standard: true },
  allowQuestions: { schema: z.boolean(), standard: true },
  allowQuestionEdits: { schema: z.boolean(), standard: true },
  allowQuestionClosing: { schema: z.boolean(), standard: true },
  allowAnswers: { schema: z.boolean(), standard: true },
  allowAnswerReplies: { schema: z.boolean(), standard: true },
  /** Tags per question. The first one decides who may see it. */
  maxQuestionTags: { schema: z.int().min(1).max(10), standard: 5 },
  allowLikes: { schema: z.boolean(), standard: true },
  allowReports: { schema: z.boolean(), standard: true },
  allowFeedback: { schema: z.boolean(), standard: true },
  /** Pictures per report. 0: none. */
  picturesPerReport: { schema: z.int().min(0).max(9), standard: 3 },
  /** Reports of one member within a minute, after which a captcha is required. 0: always. */
  reportCaptchaAfter: { schema: z.int().min(0).max(100), standard: 5 },
  feedbackCaptcha: { schema: z.boolean(), standard: true },
  /**
   * Posts held for review: none; all; those of members without the right to skip review; those of the same members with a sensitive word.
   */
  reviewTopics: { schema: reviewMode, standard: 'words' },
  reviewComments: { schema: reviewMode, standard: 'words' },
  reviewReplies: { schema: reviewMode, standard: 'words' },
  reviewQuestions: { schema: reviewMode, standard: 'words' },
  reviewAnswers: { schema: reviewMode, standard: 'words' },
  reviewAnswerReplies: { schema: reviewMode, standard: 'words' },
  /** Stock reasons for rejecting a post: Chinese, a bar, English. */
  rejectReasons: {
    schema: z.array(plainString.min(1).max(400)).max(30),
    standard: [
      '广告或推广 | It advertises something.',
      '攻击或辱骂他人 | It attacks or insults somebody.',
      '与这里的话题无关 | It is off topic here.',
      '含有违法或不当内容 | It is unlawful or unfit for this place.',
    ],
  },
  registerCaptcha: { schema: z.boolean(), standard: true },
  /** Failed logins of one account or address within a minute, after which a captcha is required. 0: always. */
  loginCaptchaAfter: { schema: z.int().min(0).max(100), standard: 3 },
  /** Reserved names, with * for anything and ? for one character. */
  reservedNames: {
    schema: z
      .array(
        z
          .string()
          .min(1)
          .max(30)
          .refine(namesSomebody, { params: { code: 'setting.namesEverybody' } }),
      )
      .max(1000),
    standard: [...houseInEnglish, ...houseInChinese],
  },
  /** Registrations per address and day. 0: no limit. */
  registrationsPerDay: { schema: z.int().min(0).max(10_000), standard: 20 },
  /** Whether the names of deleted accounts are released. */
  releaseDeletedNames: { schema: z.boolean(), standard: false },
  /** Whether members may remove their posts when they delete their account. */
  allowPostRemovalOnDeletion: { schema: z.boolean(), standard: true },
  /** Length of a title, in characters. */
  minTitleLength: { schema: z.int().min(1).max(30), standard: 4 },
  maxTitleLength: { schema: z.int().min(30).max(90), standard: 90 },
  /** Minimum length of a text, in characters as people count them. A post with a picture or file is long enough. */
  minTopicLength: { schema: z.int().min(1).max(1000), standard: 2 },
  minCommentLength: { schema: z.int().min(1).max(500), standard: 1 },
  minReplyLength: { schema: z.int().min(1).max(100), standard: 1 },
  /** Maximum length of a text. */
  maxTopicLength: { schema: z.int().min(1000).max(50_000), standard: 50_000 },
  maxCommentLength: { schema: z.int().min(500).max(20_000), standard: 20_000 },
  maxReplyLength: { schema: z.int().min(100).max(2_000), standard: 2_000 },
  /** A member is new until they reach this age in days and this number of posts. 0 and 0: never. */
  newMemberDays: { schema: z.int().min(0).max(365), standard: 1 },
  newMemberPosts: { schema: z.int().min(0).max(1000), standard: 3 },
  /** External links and pictures per post of a new member. */
  newMemberLinks: { schema: z.int().min(0).max(100), standard: 2 },
  newMemberPictures: { schema: z.int().min(0).max(50), standard: 9 },
  /** Minimum time between two topics of a member, and between two comments or replies. 0: none. */
  secondsBetweenTopics: { schema: z.int().min(0).max(3600), standard: 10 },
  secondsBetweenComments: { schema: z.int().min(0).max(3600), standard: 3 },
  /** The same for new members. */
  newMemberSecondsBetweenTopics: { schema: z.int().min(0).max(3600), standard: 60 },
  newMemberSecondsBetweenComments: { schema: z.int().min(0).max(3600), standard: 10 },
  /** Window in which a member may not repeat a post. 0: none. */
  duplicateWindowHours: { schema: z.int().min(0).max(168), standard: 24 },
  /** Tools of the editors. A hidden tool does not restrict the content, and existing content stays. */
  topicTools: { schema: z.array(z.enum(richTools)).max(30), standard: [...richTools] },
  commentTools: { schema: z.array(z.enum(richTools)).max(30), standard: [...richTools] },
  replyTools: { schema: z.array(z.enum(plainTools)).max(30), standard: [...plainTools] },
  picturesPerPost: { schema: z.int().min(0).max(50), standard: 50 },
  mentionsPerPost: { schema: z.int().min(0).max(30), standard: 30 },
  pictureKilobytes: { schema: z.int().min(1).max(20_000), standard: 10_000 },
  pictureKinds: {
    schema: z
      .array(z.enum(['jpeg', 'png', 'webp', 'gif', 'avif']))
      .min(1)
      .max(5),
    standard: ['jpeg', 'png', 'webp', 'gif', 'avif'],
  },
  attachmentsPerPost: { schema: z.int().min(0).max(20), standard: 10 },
  attachmentKilobytes: { schema: z.int().min(1).max(100_000), standard: 20_000 },
  attachmentKinds: {
    schema: z.array(z.enum(attachmentKinds)).max(30),
    standard: ['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'zip', '7z', 'mp3', 'flac'],
  },
  /** How long an unused file is kept. */
  unusedFileMinutes: { schema: z.int().min(10).max(10_080), standard: 120 },
  /** Hidden parts per topic, and the limits of their price. */
  hiddenPartsPerTopic: { schema: z.int().min(0).max(20), standard: 10 },
  maxHiddenPoints: { schema: z.int().min(1).max(99_999_999), standard: 10_000 },
  maxHiddenCents: { schema: z.int().min(1).max(99_999_999), standard: 100_000 },
  /** The forum's share of the price, in percent. */
  hiddenSharePoints: { schema: z.int().min(0).max(100), standard: 0 },
  hiddenShareCash: { schema: z.int().min(0).max(100), standard: 0 },
  /** When an author removes parts that were sold: buyers keep access, or are refunded. */
  hiddenPartsRemoved: { schema: z.enum(['keep', 'refund']), standard: 'keep' },
  /** Suggestions of the search box. */
  hotSearchWords: { schema: z.array(plainString.min(1).max(30)).max(20), standard: [] as string[] },
  /** The key by which search engines of IndexNow verify that the site itself submits its topics. Empty: nothing is submitted. */
  indexNowKey: { schema: z.string().regex(/^([A-Za-z0-9-]{8,128})?$/), standard: '' },
  /** Days between scheduled backups, the hour of the site, and the number of backups kept. 0 days: none. */
  backupDays: { schema: z.int().min(0).max(30), standard: 1 },
  backupHour: { schema: z.int().min(0).max(23), standard: 3 },
  backupsKept: { schema: z.int().min(1).max(100), standard: 5 },
  /** Retention of page views, and of the addresses in them. */
  pageViewDays: { schema: z.int().min(1).max(3650), standard: 400 },
  pageViewIpDays: { schema: z.int().min(1).max(3650), standard: 180 },
  /** Retention of the login log of members and staff. 0: for ever. */
  loginLogDays: { schema: z.int().min(0).max(3650), standard: 365 },
  /** Retention of failed logins; a captcha needs only minutes of them. */
  failedLoginDays: { schema: z.int().min(1).max(365), standard: 1 },
  draftDays: { schema: z.int().min(1).max(3650), standard: 90 },
  /** Retention of finished jobs. */
  jobDays: { schema: z.int().min(1).max(90), standard: 3 },
  searchWordDays: { schema: z.int().min(1).max(3650), standard: 400 },
  answerTimeDays: { schema: z.int().min(1).max(3650), standard: 400 },
  ...assistantSettings,
  ...contactSettings,
  ...deliverySettings,
  ...listSettings,
  ...messageSettings,
  ...nameSettings,
  ...moneySettings,
  ...realNameSettings,
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
export type Switch = { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName]

/** Pictures, which are uploaded files: only the feature `look` changes them. */
export const pictureSettings = ['logo', 'logoDark', 'icon'] as const satisfies SettingName[]
export type PictureSetting = (typeof pictureSettings)[number]

export function isPicture(name: string): name is PictureSetting {
  return (pictureSettings as readonly string[]).includes(name)
}

export type SealedSetting = keyof typeof sealedSettings
export type AnySetting = SettingName | SealedSetting

/** Settings that the program may read anywhere, and sealed ones. */
export const allSettings = { ...settings, ...sealedSettings }

export function isSealed(name: string): name is SealedSetting {
  return Object.hasOwn(sealedSettings, name)
}
