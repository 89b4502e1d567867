import { z } from 'zod'
import { attachmentKinds } from '#base/attachment-kinds.ts'
import { siteStates } from '#base/contract.ts'
import type { LookPicture } from '#base/look.ts'
import { isMainColour } from '#base/main-colour.ts'
import { plain } from '#base/plain-text.ts'
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

const title = plain.min(1).max(200)

const picture = z.object({ file: z.string(), width: z.int(), height: z.int() }).nullable()
const none = null as LookPicture | null
const reviewed = z.enum(['nobody', 'everybody', 'members', 'words'])

// Of signs for anything alone, nobody could register; other signs alone are no name.
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

/** Every setting: what it may be and what it is until somebody changes it. */
export const settings = {
  title: { takes: title, standard: '茶馆 Teahouse' },
  /** In the place of the standard green, as #rrggbb; made darker or lighter where it could not be read. Empty: the green. */
  mainColour: { takes: z.string().refine(isMainColour, { params: { code: 'setting.noColour' } }), standard: '' },
  /** In the place of the name, or beside it, on light and on dark ground; and on tabs and home screens. */
  logo: { takes: picture, standard: none },
  logoDark: { takes: picture, standard: none },
  icon: { takes: picture, standard: none },
  keywords: { takes: plain.max(200), standard: '论坛, 问答, forum, questions' },
  description: { takes: plain.max(200), standard: '一间安静的社区茶馆。A quiet place to write and read.' },
  /** What readers may choose from. Where the standard one is not among them, the first of them is. */
  languages: {
    takes: z
      .array(z.enum(['zh_CN', 'en_US']))
      .min(1)
      .max(2),
    standard: ['zh_CN', 'en_US'],
  },
  /** Empty: what the reader's browser asks for. */
  defaultLanguage: { takes: z.enum(['zh_CN', 'en_US', '']), standard: 'zh_CN' },
  /** Whose midnight ends a day: in statistics, for the hour of backups, in whatever is counted by days. */
  timeZone: { takes: z.string().refine(isTimeZone, { params: { code: 'setting.noTimeZone' } }), standard: 'Asia/Shanghai' },
  /** Read-only takes no write of members; closed shows them the text below and nothing else. Staff work on in the administration. */
  siteState: { takes: z.enum(siteStates), standard: 'open' },
  closedTextZh: { takes: plain.max(2000), standard: '茶馆正在整理，很快回来。' },
  closedTextEn: { takes: plain.max(2000), standard: 'The forum is being tidied up, and will be back soon.' },
  ...aboutSettings,
  /** What the law asks to stand at the foot of every page in China. Empty: nothing stands there. */
  icpNumber: { takes: plain.max(60), standard: '' },
  policeNumber: { takes: plain.max(60), standard: '' },
  licence: { takes: plain.max(120), standard: '' },
  /** 1 for every device, 2 for desktops, 3 for phones. */
  supportAccessDevice: { takes: z.int().min(1).max(3), standard: 1 },
  /** 0 keeps files on disk; 10, 20, 30 keep them in an S3-compatible store. */
  fileStorageSystem: { takes: z.literal([0, 10, 20, 30]), standard: 0 },
  /** For how many days new terms can be put off; who has not agreed then reads on and does not write. 0: from the first. */
  termsGraceDays: { takes: z.int().min(0).max(365), standard: 30 },
  allowRegistrations: { takes: z.boolean(), standard: true },
  allowTopics: { takes: z.boolean(), standard: true },
  allowTopicEdits: { takes: z.boolean(), standard: true },
  allowComments: { takes: z.boolean(), standard: true },
  allowReplies: { takes: z.boolean(), standard: true },
  allowQuestions: { takes: z.boolean(), standard: true },
  allowQuestionEdits: { takes: z.boolean(), standard: true },
  allowQuestionClosing: { takes: z.boolean(), standard: true },
  allowAnswers: { takes: z.boolean(), standard: true },
  allowAnswerReplies: { takes: z.boolean(), standard: true },
  /** How many tags a question may have. The first says who may see it. */
  maxQuestionTags: { takes: z.int().min(1).max(10), standard: 5 },
  allowLikes: { takes: z.boolean(), standard: true },
  allowReports: { takes: z.boolean(), standard: true },
  allowFeedback: { takes: z.boolean(), standard: true },
  /** How many pictures a report may show. 0: none. */
  picturesPerReport: { takes: z.int().min(0).max(9), standard: 3 },
  /** Reports of one member within a minute, after which a captcha is asked for. 0 asks always. */
  reportCaptchaAfter: { takes: z.int().min(0).max(100), standard: 5 },
  feedbackCaptcha: { takes: z.boolean(), standard: true },
  /**
   * Whose posts staff look at before others see them: nobody's; everybody's; those of members without the right to go unreviewed;
   * those of the same members, where a sensitive word asks for it.
   */
  reviewTopics: { takes: reviewed, standard: 'words' },
  reviewComments: { takes: reviewed, standard: 'words' },
  reviewReplies: { takes: reviewed, standard: 'words' },
  reviewQuestions: { takes: reviewed, standard: 'words' },
  reviewAnswers: { takes: reviewed, standard: 'words' },
  reviewAnswerReplies: { takes: reviewed, standard: 'words' },
  /** What staff may choose from to say why a post was rejected: in Chinese, a bar, in English. */
  rejectReasons: {
    takes: z.array(plain.min(1).max(400)).max(30),
    standard: [
      '广告或推广 | It advertises something.',
      '攻击或辱骂他人 | It attacks or insults somebody.',
      '与这里的话题无关 | It is off topic here.',
      '含有违法或不当内容 | It is unlawful or unfit for this place.',
    ],
  },
  registerCaptcha: { takes: z.boolean(), standard: true },
  /** Failed logins of one account or address within a minute, after which a captcha is asked for. 0 asks always. */
  loginCaptchaAfter: { takes: z.int().min(0).max(100), standard: 3 },
  /** Names nobody may register, with * for anything and ? for one character. */
  reservedNames: {
    takes: z
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
  /** How many may register from one address within a day. 0: any number. */
  registrationsADay: { takes: z.int().min(0).max(10_000), standard: 20 },
  /** Whether others may take the name of somebody who left for good. */
  releaseDeletedNames: { takes: z.boolean(), standard: false },
  /** Whether who leaves for good may take their posts along. */
  leaversRemovePosts: { takes: z.boolean(), standard: true },
  /** The least and the most a title may have, in characters. */
  shortestTitle: { takes: z.int().min(1).max(30), standard: 4 },
  longestTitle: { takes: z.int().min(30).max(90), standard: 90 },
  /** The least a text may have, in characters as people count them. A post that shows a picture or a file is long enough. */
  shortestTopic: { takes: z.int().min(1).max(1000), standard: 2 },
  shortestComment: { takes: z.int().min(1).max(500), standard: 1 },
  shortestReply: { takes: z.int().min(1).max(100), standard: 1 },
  /** The most a text may have. */
  longestTopic: { takes: z.int().min(1000).max(50_000), standard: 50_000 },
  longestComment: { takes: z.int().min(500).max(20_000), standard: 20_000 },
  longestReply: { takes: z.int().min(100).max(2_000), standard: 2_000 },
  /** A member is new until they have been here so many days, and have so many posts. 0 and 0: nobody is new. */
  newMemberDays: { takes: z.int().min(0).max(365), standard: 1 },
  newMemberPosts: { takes: z.int().min(0).max(1000), standard: 3 },
  /** How many links to other sites and how many pictures a post of a new member may have. */
  newMemberLinks: { takes: z.int().min(0).max(100), standard: 2 },
  newMemberPictures: { takes: z.int().min(0).max(50), standard: 9 },
  /** How long a member waits between two topics, and between two remarks, which are comments and replies. 0: not at all. */
  secondsBetweenTopics: { takes: z.int().min(0).max(3600), standard: 10 },
  secondsBetweenComments: { takes: z.int().min(0).max(3600), standard: 3 },
  /** The same for members who are new. */
  newMemberSecondsBetweenTopics: { takes: z.int().min(0).max(3600), standard: 60 },
  newMemberSecondsBetweenComments: { takes: z.int().min(0).max(3600), standard: 10 },
  /** How long a member may not say the same again. 0: they always may. */
  duplicateWindowHours: { takes: z.int().min(0).max(168), standard: 24 },
  /** The tools that editors offer. What they leave out may still be written, and all that was written stays. */
  topicTools: { takes: z.array(z.enum(richTools)).max(30), standard: [...richTools] },
  commentTools: { takes: z.array(z.enum(richTools)).max(30), standard: [...richTools] },
  replyTools: { takes: z.array(z.enum(plainTools)).max(30), standard: [...plainTools] },
  picturesPerPost: { takes: z.int().min(0).max(50), standard: 50 },
  mentionsPerPost: { takes: z.int().min(0).max(30), standard: 30 },
  pictureKilobytes: { takes: z.int().min(1).max(20_000), standard: 10_000 },
  pictureKinds: {
    takes: z
      .array(z.enum(['jpeg', 'png', 'webp', 'gif', 'avif']))
      .min(1)
      .max(5),
    standard: ['jpeg', 'png', 'webp', 'gif', 'avif'],
  },
  attachmentsPerPost: { takes: z.int().min(0).max(20), standard: 10 },
  attachmentKilobytes: { takes: z.int().min(1).max(100_000), standard: 20_000 },
  attachmentKinds: {
    takes: z.array(z.enum(attachmentKinds)).max(30),
    standard: ['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'zip', '7z', 'mp3', 'flac'],
  },
  /** How long a file that nothing shows is kept. */
  unusedFileMinutes: { takes: z.int().min(10).max(10_080), standard: 120 },
  /** How many parts of a topic may be hidden, and what one may cost. */
  hiddenPartsPerTopic: { takes: z.int().min(0).max(20), standard: 10 },
  hiddenMostPoints: { takes: z.int().min(1).max(99_999_999), standard: 10_000 },
  hiddenMostCents: { takes: z.int().min(1).max(99_999_999), standard: 100_000 },
  /** What of the price goes to the forum, in percent. */
  hiddenSharePoints: { takes: z.int().min(0).max(100), standard: 0 },
  hiddenShareCash: { takes: z.int().min(0).max(100), standard: 0 },
  /** What becomes of parts that were sold when their author removes them: buyers go on reading them, or get the price back. */
  hiddenPartsRemoved: { takes: z.enum(['keep', 'refund']), standard: 'keep' },
  /** What the search box suggests before anything is typed. */
  hotSearchWords: { takes: z.array(plain.min(1).max(30)).max(20), standard: [] as string[] },
  /** A word of the site's own choosing, by which IndexNow's search engines know that it is the site who tells of new topics. Empty: they are not told. */
  indexNowKey: { takes: z.string().regex(/^([A-Za-z0-9-]{8,128})?$/), standard: '' },
  /** How many days lie between two backups that come by themselves, at which hour of the site, and how many of them are kept. 0 days: none comes. */
  backupDays: { takes: z.int().min(0).max(30), standard: 1 },
  backupHour: { takes: z.int().min(0).max(23), standard: 3 },
  backupsKept: { takes: z.int().min(1).max(100), standard: 5 },
  /** How long page views are kept, and how long with the address they came from. */
  pageViewDays: { takes: z.int().min(1).max(3650), standard: 400 },
  pageViewIpDays: { takes: z.int().min(1).max(3650), standard: 180 },
  /** How long members see where they logged in, and staff too. 0: for ever. */
  loginLogDays: { takes: z.int().min(0).max(3650), standard: 365 },
  /** Logins that failed; what asks for a captcha needs no more than minutes of them. */
  failedLoginDays: { takes: z.int().min(1).max(365), standard: 1 },
  draftDays: { takes: z.int().min(1).max(3650), standard: 90 },
  /** What became of jobs. */
  jobDays: { takes: z.int().min(1).max(90), standard: 3 },
  searchWordDays: { takes: z.int().min(1).max(3650), standard: 400 },
  answerTimeDays: { takes: z.int().min(1).max(3650), standard: 400 },
  ...assistantSettings,
  ...contactSettings,
  ...deliverySettings,
  ...listSettings,
  ...messageSettings,
  ...nameSettings,
  ...moneySettings,
  ...realNameSettings,
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['takes']> }
export type Switch = { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName]

/** Pictures, which come as files: the feature `look` changes them, and nothing else does. */
export const pictureSettings = ['logo', 'logoDark', 'icon'] as const satisfies SettingName[]
export type PictureSetting = (typeof pictureSettings)[number]

export function isPicture(name: string): name is PictureSetting {
  return (pictureSettings as readonly string[]).includes(name)
}

export type SealedSetting = keyof typeof sealedSettings
export type AnySetting = SettingName | SealedSetting

/** Those that anybody may read where the program uses them, and those that lie sealed. */
export const allSettings = { ...settings, ...sealedSettings }

export function isSealed(name: string): name is SealedSetting {
  return Object.hasOwn(sealedSettings, name)
}
