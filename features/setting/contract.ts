import { z } from 'zod'
import { nothing, read, refusal, siteStates, write } from '#base/contract.ts'
import { textSizes, themes } from '#base/preferences.ts'
import { FrameView } from '#frame/contract.ts'
import { registrationModes } from './contact-settings.ts'
import { allSettings, isPicture, type AnySetting } from './settings.ts'

export { settingGroups, type SettingGroup } from './groups.ts'
export { registrationModes } from './contact-settings.ts'
export { guardedSettings, secretSettings } from './guarded-settings.ts'
export { sealedSettings } from './sealed-settings.ts'
export {
  allSettings,
  isPicture,
  isSealed,
  pictureSettings,
  settings,
  type AnySetting,
  type PictureSetting,
  type SealedSetting,
  type SettingName,
  type Settings,
  type Switch,
} from './settings.ts'

export const FunctionClosed = refusal('setting.closed', { status: 422 })

const Logo = z.object({ src: z.string(), width: z.number(), height: z.number() })

/** Preferences for all devices of a member; null where not set. */
export const PreferencesView = z.object({
  language: z.enum(['zh', 'en']).nullable(),
  theme: z.enum(themes).nullable(),
  textSize: z.enum(textSizes).nullable(),
  timeZone: z.string().nullable(),
})

/** The current user, as the header of every page shows it. */
export const SystemUserView = z.object({
  userId: z.string(),
  account: z.string(),
  nickname: z.string().nullable(),
  avatar: z.string().nullable(),
  isOfficial: z.boolean(),
  preferences: PreferencesView,
  /** Pending registrations: whether staff refused it, and the reason. */
  joining: z.object({ isRefused: z.boolean(), reason: z.string() }).nullable(),
  /** The time the account is to be erased, as its owner requested. */
  leavesAt: z.iso.datetime().nullable(),
})

export const baseInfo = read('/baseInfo', {
  summary: 'What the site is called, how it is set, and who is asking. Hands out the token that writes must echo.',
  availableWhile: 'closed',
  issuesCsrfToken: true,
  input: nothing,
  output: z.object({
    baseURL: z.string(),
    baseURI: z.string(),
    commonPath: z.string(),
    contextPath: z.string(),
    templateDir: z.string(),
    apiUrl: z.string(),
    title: z.string(),
    /** Replaces the title when much wider than high, otherwise shown beside it. */
    logo: Logo.extend({ onDark: Logo.nullable() }).nullable(),
    keywords: z.string(),
    description: z.string(),
    fileStorageSystem: z.number(),
    supportAccessDevice: z.number(),
    defaultLanguage: z.string(),
    languageSwitching: z.record(z.string(), z.string()),
    weixin_oa_appid: z.string(),
    /** A picture of one transparent pixel, as a placeholder. */
    transparentImage: z.string(),
    /** The assistant, if the member may use it. */
    aiAssistantParameter: z.object({ allowChat: z.boolean() }),
    icpNumber: z.string(),
    policeNumber: z.string(),
    /** Another operating licence of the site. */
    licence: z.string(),
    systemUser: SystemUserView.nullable(),
    siteState: z.enum(siteStates),
    /** Whether lists show an excerpt of topics. */
    showsExcerpts: z.boolean(),
    /** Whether authors may declare AI-generated content in their posts, or are asked to. */
    aiLabels: z.enum(['off', 'declare', 'ask']),
    /** The way of registration, while it is open at all. */
    registrationMode: z.enum(registrationModes),
    /** Whether members have a balance in money beside their points. */
    allowCash: z.boolean(),
    /** The time zone of calendar days. */
    timeZone: z.string(),
    /** Functions that accept new content now; none on a read-only or closed site. */
    open: z.object({
      registrations: z.boolean(),
      topics: z.boolean(),
      topicEdits: z.boolean(),
      comments: z.boolean(),
      replies: z.boolean(),
      questions: z.boolean(),
      questionEdits: z.boolean(),
      answers: z.boolean(),
      answerReplies: z.boolean(),
      likes: z.boolean(),
      messages: z.boolean(),
      redEnvelopes: z.boolean(),
      reports: z.boolean(),
      feedback: z.boolean(),
      /** API tokens of members. */
      programs: z.boolean(),
      topUps: z.boolean(),
    }),
    frame: FrameView,
    /** Tools that the editors hide, by kind of post. */
    hiddenTools: z.object({ topic: z.array(z.string()), comment: z.array(z.string()), reply: z.array(z.string()) }),
  }),
})

export const ChangedMeanwhile = refusal('setting.changedMeanwhile', { status: 409, field: 'version' })

/** Without it files could not be stored, and the next start would fail. */
export const NoStoreNamed = refusal('setting.noStoreNamed', { field: 'fileStorageSystem' })

/** Visitors without a preference would get a language that is not offered. */
export const LanguageNotOffered = refusal('setting.languageNotOffered', { field: 'defaultLanguage' })

/** Otherwise no member could post. */
export const NoChecker = refusal('setting.noChecker', { field: 'realNameForPosting' })

/** Otherwise no member could bind a phone, and so none could post. */
export const NoTextsForPosting = refusal('setting.noTextsForPosting', { field: 'realNameForPosting' })
export const TextsNeededForPosting = refusal('setting.textsNeededForPosting', { field: 'smsProvider' })

/** Recipients could not read the messages. */
export const OutboxForOthers = refusal('setting.outboxForOthers')

/** The chosen provider would fail without it. */
export const NeededByProvider = refusal('setting.neededByProvider')

/** The range would be empty. */
export const MoreThanMost = refusal('setting.moreThanMost')

/** No model would answer. */
export const NoModelOn = refusal('setting.noModelOn', { field: 'allowAssistant' })

/** Sandbox payments would count as real money on a public site. */
export const SandboxForOthers = refusal('setting.sandboxForOthers', { field: 'paymentProviders' })
export const SandboxNotAlone = refusal('setting.sandboxNotAlone', { field: 'paymentProviders' })

/** A key or certificate of a payment provider that can neither sign nor verify. */
export const NoPublicKey = refusal('setting.noPublicKey')
export const NoPrivateKey = refusal('setting.noPrivateKey')
export const NoCertificate = refusal('setting.noCertificate')
export const CertificateOver = refusal('setting.certificateOver')

const crossCheckErrors = [
  NoStoreNamed,
  LanguageNotOffered,
  NoChecker,
  NoTextsForPosting,
  NoModelOn,
  TextsNeededForPosting,
  OutboxForOthers,
  NeededByProvider,
  MoreThanMost,
  SandboxForOthers,
  SandboxNotAlone,
  NoPublicKey,
  NoPrivateKey,
  NoCertificate,
  CertificateOver,
]

export const SettingView = z.object({
  name: z.string(),
  value: z.unknown(),
  standard: z.unknown(),
  /** For secrets, which are write-only: whether a value is set. */
  isSet: z.boolean().nullable(),
  /** Null for the default. */
  changed: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
})

export const listSettings = read('/admin/setting/list', {
  summary: 'Every setting as it stands, and as it was made, and by what nothing can be sent yet. Secrets are not told.',
  input: nothing,
  output: z.object({ settings: z.array(SettingView), unsent: z.array(z.enum(['email', 'sms'])), readAt: z.iso.datetime() }),
})

export const settingHistory = read('/admin/setting/history', {
  summary: 'What a setting was before, newest first, with who changed it and when; of a secret only that.',
  input: z.object({ name: z.string().max(60) }),
  output: z.object({ changes: z.array(z.object({ at: z.iso.datetime(), by: z.string(), before: z.unknown(), after: z.unknown() })) }),
})

/** The value as a form sends it: lists are lines of text, so that an empty list differs from a missing field. Programs send arrays. */
function formSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray)
    return z
      .union([z.string().max(100_000), z.array(z.string()).max(10_000)])
      .transform((sent) => (typeof sent === 'string' ? linesIn(sent) : sent))
      .pipe(schema as unknown as z.ZodType<string[], string[]>)
  return schema instanceof z.ZodLiteral ? z.int().pipe(schema as unknown as z.ZodType<number, number>) : schema
}

export function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

const sendable = Object.entries(allSettings).filter(([name]) => !isPicture(name))
const formFields = Object.fromEntries(sendable.map(([name, { schema }]) => [name, formSchema(schema).optional()])) as unknown as Record<
  AnySetting,
  z.ZodOptional
>

export const changeSettings = write('/admin/setting/change', {
  summary:
    'Changes those settings that are sent; a secret that is sent empty stays. Refuses where somebody changed one of them after `seenAt`, unless it is sent as it was then.',
  input: z.object({ ...formFields, seenAt: z.iso.datetime().optional() }),
  output: nothing,
  errors: [ChangedMeanwhile, ...crossCheckErrors],
})

export const returnSetting = write('/admin/setting/return', {
  summary: 'Makes a setting what it was when the forum was made. Refuses where somebody changed it after `seenAt`.',
  input: z.object({ name: z.string().max(60), seenAt: z.iso.datetime().optional() }),
  output: nothing,
  errors: [ChangedMeanwhile, ...crossCheckErrors],
})
