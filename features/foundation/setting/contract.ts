import { z } from 'zod'
import { nothing, read, refusal, siteStates } from '#base/contract.ts'
import { textSizes, themes } from '#base/preferences.ts'
import { registrationModes } from '#base/registration-modes.ts'
import { FrameView } from '#frame/contract.ts'

export { registrationModes } from '#base/registration-modes.ts'
// Types alone: pages of members load no list of settings. Its values stand in staff-contract.ts.
export type { SettingGroup } from './groups.ts'
export type { AnySetting, PictureSetting, SealedSetting, SettingName, Settings, Switch } from './all-settings.ts'

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
  summary: 'Name and configuration of the site, the signed-in member if any, and the CSRF token that writes must send.',
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
    /** Whether the viewer may see no more, and no less, of what is public than a visitor. */
    seesAsVisitor: z.boolean(),
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

/** Refusals of settings that contradict each other. */
export const crossCheckErrors = [
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
