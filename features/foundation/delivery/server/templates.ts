import type { Db } from '#base/server/database/database.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { say, formatText, type Language } from '#base/server/words.ts'
import type { Template } from '#delivery/contract.ts'
import { pageOf, textOf, type EmailContent, type Piece, type LabelledLink } from '#delivery/server/email-layout.ts'
import type { Email } from '#delivery/server/provider.ts'

const toSecurity = { word: 'delivery.toSecurity', path: '/user/control/security' } as const
const toLogins = { word: 'delivery.toLogins', path: '/user/control/userLoginLogList' } as const
const toMethods = { word: 'delivery.toMethods', path: '/user/control/signInMethods' } as const
const toStaff = { word: 'delivery.toStaff', path: '/feedback' } as const
const toLogin = { word: 'delivery.toLogin', path: '/login' } as const

/**
 * The templates. Their texts are in this feature's words; listed here are the placeholders beside the name of the site. A template with a
 * link takes it from one of its values, or links a page of the site. A composed template's content is made at the time of sending, by its
 * sender.
 */
export const templates = {
  code: { values: ['code', 'minutes'], keeps: ['code'], isForAnybody: true },
  numberChanged: { values: [] },
  emailChanged: { values: [] },
  passwordChanged: { values: [] },
  dataReady: {
    values: [],
    way: { word: 'delivery.toMyData', path: '/user/control/personalData' },
  },
  leavingBegun: { values: [], way: toLogin },
  leavingSoon: { values: [], way: toLogin },
  leavingDone: { values: [] },
  secondFactorOn: { values: [], way: toSecurity },
  secondFactorOff: { values: [], way: toSecurity },
  recoveryCodesRenewed: { values: [], way: toSecurity },
  passkeyAdded: { values: ['name'], way: toSecurity },
  passkeyRemoved: { values: ['name'], way: toSecurity },
  programTokenMade: { values: ['name'], way: { word: 'delivery.toTokens', path: '/user/control/tokens' } },
  identityLinked: { values: ['name'], way: toMethods },
  accountsMerged: { values: ['name', 'into'], way: toMethods },
  staffChanged: { values: ['what', 'its'], way: toStaff },
  newLogin: { values: ['device', 'place'], way: toLogins },
  passwordTried: { values: [] },
  sessionReused: { values: ['device', 'place'], way: toLogins },
  numberBound: { values: [] },
  emailBound: { values: [] },
  hintChanged: { values: [] },
  takeBack: {
    values: ['what'],
    way: { word: 'delivery.takeBackWay', value: 'link' },
  },
  takenBack: { values: ['removed'] },
  joiningApproved: { values: [] },
  joiningRefused: { values: ['reason'] },
  notifications: { values: ['summary'], isComposed: true },
  test: { values: [], isForAnybody: true },
} as const satisfies Record<Template, TemplateSpec>

type TemplateSpec = {
  values: readonly string[]
  /** The placeholders that a text must contain. */
  keeps?: readonly string[]
  isComposed?: true
  /** Sent to an address that any visitor typed, so that its recipient may have nothing to do with it. */
  isForAnybody?: true
  way?: { word: string } & ({ value: string } | { path: string })
}

export type Values = Readonly<Record<string, string>>

/** The content of an e-mail beside its text. */
export type ComposedContent = {
  values: Values
  pieces: readonly Piece[]
  foot: readonly LabelledLink[]
  /** The e-mail's headers for unsubscribing. */
  headers: Readonly<Record<string, string>>
}

/** The content of an e-mail at the time of sending; null where it would be empty by then. */
export type Composer = (db: Db, values: Values, language: Language) => Promise<ComposedContent | null>

/** With placeholders. */
export type Wording = { subject: string; text: string }

type FilledTemplate = { template: Template; language: Language; values: Values; site: string; wording: Wording }

/** A text message, as one line. */
export function asText({ language, values, site, wording }: Omit<FilledTemplate, 'template'>): string {
  return formatText(language, wording.text, { ...values, site }).replace(/\s+/g, ' ')
}

/** An e-mail as text and as HTML. It loads nothing from elsewhere. */
export function asEmail(
  { template, language, values, site, wording }: FilledTemplate,
  composed: ComposedContent | null = null,
): Omit<Email, 'to' | 'key'> {
  const its: TemplateSpec = templates[template]
  const all: Values = { ...values, ...composed?.values, site }
  const letter: EmailContent = {
    language,
    subject: formatText(language, wording.subject, all),
    paragraphs: [formatText(language, wording.text, all), ...(its.isForAnybody ? [say(language, 'delivery.notMine')] : [])],
    pieces: composed?.pieces ?? [],
    button: its.way ? { text: say(language, its.way.word), to: linkOf(its.way, all) } : null,
    site,
    foot: composed?.foot ?? [],
  }
  return { subject: letter.subject, text: textOf(letter), html: pageOf(letter), headers: composed?.headers ?? {} }
}

function linkOf(way: NonNullable<TemplateSpec['way']>, values: Values): string {
  return 'path' in way ? absoluteUrl(way.path) : (values[way.value] ?? '')
}

/** The names of the placeholders. */
export function valuesOf(template: Template): string[] {
  return [...templates[template].values, 'site']
}

export function requiredValuesOf(template: Template): readonly string[] {
  const { keeps = [] }: TemplateSpec = templates[template]
  return keeps
}

export function isTemplate(name: string): name is Template {
  return Object.hasOwn(templates, name)
}
