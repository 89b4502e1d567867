import { z } from 'zod'
import { nothing, read, refusal } from '#base/contract.ts'

export const FunctionClosed = refusal('setting.closed', { status: 422 })

const title = z.string().trim().min(1).max(200)

/** Every setting: what it may be and what it is until somebody changes it. */
export const settings = {
  title: { takes: title, standard: '茶馆 Teahouse' },
  keywords: { takes: z.string().max(200), standard: '论坛, 问答, forum, questions' },
  description: { takes: z.string().max(200), standard: '一间安静的社区茶馆。A quiet place to write and read.' },
  defaultLanguage: { takes: z.enum(['zh_CN', 'en_US']), standard: 'zh_CN' },
  /** 1 for every device, 2 for desktops, 3 for phones. */
  supportAccessDevice: { takes: z.int().min(1).max(3), standard: 1 },
  /** 0 keeps files on disk; 10, 20, 30 keep them in an S3-compatible store. */
  fileStorageSystem: { takes: z.literal([0, 10, 20, 30]), standard: 0 },
  takesRegistrations: { takes: z.boolean(), standard: true },
  takesTopics: { takes: z.boolean(), standard: true },
  takesTopicEdits: { takes: z.boolean(), standard: true },
  takesComments: { takes: z.boolean(), standard: true },
  takesReplies: { takes: z.boolean(), standard: true },
  registerCaptcha: { takes: z.boolean(), standard: true },
  /** Failed logins of one account or address within a minute, after which a captcha is asked for. 0 asks always. */
  loginCaptchaAfter: { takes: z.int().min(0).max(100), standard: 3 },
  /** Names nobody may register, with * for anything and ? for one character. */
  reservedNames: {
    takes: z.array(z.string().min(1).max(30)).max(1000),
    standard: ['*admin*', '*teahouse*', 'root', 'system', 'staff*', 'null', 'undefined'],
  },
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
  /** By the ends of their names. */
  attachmentKinds: {
    takes: z.array(z.string().regex(/^[a-z0-9]{1,8}$/)).max(30),
    standard: ['pdf', 'txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'zip', '7z', 'mp3', 'flac'],
  },
  /** How long a file that nothing shows is kept. */
  unusedFileMinutes: { takes: z.int().min(10).max(10_080), standard: 120 },
  topicsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  commentsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  /** What the search box suggests before anything is typed. */
  hotSearchWords: { takes: z.array(z.string().trim().min(1).max(30)).max(20), standard: [] as string[] },
  /** A word of the site's own choosing, by which IndexNow's search engines know that it is the site who tells of new topics. Empty: they are not told. */
  indexNowKey: { takes: z.string().regex(/^([A-Za-z0-9-]{8,128})?$/), standard: '' },
  /** What Baidu gave the site for telling it of new topics. Empty: it is not told. */
  baiduToken: { takes: z.string().regex(/^[A-Za-z0-9]{0,64}$/), standard: '' },
  /** Weights of the hot list: comments, views, and how fast heat fades. */
  heatPerComment: { takes: z.number().min(0).max(9999), standard: 20 },
  heatPerView: { takes: z.number().min(0).max(9999), standard: 1 },
  heatGravity: { takes: z.number().min(0.1).max(2), standard: 1.8 },
  termsZh: { takes: z.string().max(100_000), standard: '# 服务条款\n\n请友善、守法，并对自己写下的内容负责。' },
  termsEn: { takes: z.string().max(100_000), standard: '# Terms of service\n\nBe kind, keep to the law, and answer for what you write.' },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['takes']> }
export type Switch = { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName]

/** Who is logged in, as the frame of every page shows them. */
export const SystemUserView = z.object({
  userId: z.string(),
  account: z.string(),
  nickname: z.string().nullable(),
  avatar: z.string().nullable(),
  isOfficial: z.boolean(),
})

export const baseInfo = read('/baseInfo', {
  does: 'What the site is called, how it is set, and who is asking. Hands out the token that writes must echo.',
  takes: nothing,
  gives: z.object({
    baseURL: z.string(),
    baseURI: z.string(),
    commonPath: z.string(),
    contextPath: z.string(),
    templateDir: z.string(),
    apiUrl: z.string(),
    title: z.string(),
    keywords: z.string(),
    description: z.string(),
    fileStorageSystem: z.number(),
    supportAccessDevice: z.number(),
    defaultLanguage: z.string(),
    languageSwitching: z.record(z.string(), z.string()),
    weixin_oa_appid: z.string(),
    systemUser: SystemUserView.nullable(),
    open: z.object({
      registrations: z.boolean(),
      topics: z.boolean(),
      topicEdits: z.boolean(),
      comments: z.boolean(),
      replies: z.boolean(),
    }),
  }),
})
