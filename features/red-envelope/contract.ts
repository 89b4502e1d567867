import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plain } from '#base/plain-text.ts'
import { CaptchaNeeded, captchaFields, CaptchaWrong } from '#captcha/contract.ts'
import { Banned, NameView } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { amountField, BooksFrozen, currencies, moneyRefusals } from '#wallet/contract.ts'

/** For one named member; cut at random; or into equal shares. */
export const envelopeKinds = ['targeted', 'random', 'fixed'] as const
export type EnvelopeKind = (typeof envelopeKinds)[number]
/** Drawn by us. */
export const envelopeCovers = ['lantern', 'plum', 'tea', 'cloud'] as const
export const envelopeStates = ['waiting', 'open', 'taken', 'returned', 'dropped'] as const

const at = (field: string) => ({ field })
export const PointsOutside = refusal('redEnvelope.pointsOutside', at('envelopePoints'))
export const CashOutside = refusal('redEnvelope.cashOutside', at('envelopeCash'))
export const PointsShort = refusal('redEnvelope.pointsShort', at('envelopePoints'))
export const CashShort = refusal('redEnvelope.cashShort', at('envelopeCash'))
export const NoPointsHere = refusal('redEnvelope.noPointsHere', at('envelopePoints'))
export const NoCashHere = refusal('redEnvelope.noCashHere', at('envelopeCash'))
/** One of points and money, and not both. */
export const OneCurrency = refusal('redEnvelope.oneCurrency', at('envelopePoints'))
/** Less than the smallest unit for each. */
export const TooManyShares = refusal('redEnvelope.tooManyShares', at('envelopeQuantity'))
export const NoReceiver = refusal('redEnvelope.noReceiver', at('envelopeReceiver'))
export const OwnReceiver = refusal('redEnvelope.ownReceiver', at('envelopeReceiver'))
export const AboveDay = refusal('redEnvelope.aboveDay', at('envelopeKind'))
export const AboveMinorLimit = refusal('redEnvelope.aboveMinorLimit', at('envelopeCash'))
export const NoSuchLevel = refusal('redEnvelope.noSuchLevel', at('envelopeLevel'))
export const NoSuchRole = refusal('redEnvelope.noSuchRole', at('envelopeRole'))

export const giveRefusals = [
  FunctionClosed,
  Banned,
  PointsOutside,
  CashOutside,
  PointsShort,
  CashShort,
  NoPointsHere,
  NoCashHere,
  OneCurrency,
  TooManyShares,
  NoReceiver,
  OwnReceiver,
  AboveDay,
  AboveMinorLimit,
  NoSuchLevel,
  NoSuchRole,
  WordsInField,
  /** Money is given by those who showed a moment ago that it is them. */
  ProveAgain,
  ...moneyRefusals,
] as const

/** All have been taken. */
export const EnvelopeEmpty = refusal('redEnvelope.empty', { status: 409 })
/** Its time is over, or its post went, and what was left went back. */
export const EnvelopeEnded = refusal('redEnvelope.ended', { status: 409 })
export const NotForYou = refusal('redEnvelope.notForYou', { status: 403 })
export const OwnEnvelope = refusal('redEnvelope.own', { status: 403 })
/** Of conditions, the first that the member does not meet. */
export const NeedsComment = refusal('redEnvelope.needsComment')
export const NeedsLevel = refusal('redEnvelope.needsLevel')
export const NeedsRole = refusal('redEnvelope.needsRole')
export const NeedsFollowing = refusal('redEnvelope.needsFollowing')
export const NeedsDays = refusal('redEnvelope.needsDays')

/** Who may open one. */
export const Conditions = z.object({
  /** Who commented in the thread. */
  commented: z.boolean().optional(),
  /** Points that a level begins at. */
  level: z.string().optional(),
  roleId: z.string().optional(),
  /** Who follows the giver. */
  follows: z.boolean().optional(),
  /** Members for so many days. */
  days: z.number().optional(),
})
export type Conditions = z.infer<typeof Conditions>

export const mostShares = 100_000

/** What a giver fills in, beside a post or by itself. */
export const given = {
  envelopeKind: z.enum(envelopeKinds).optional(),
  /** All of it; of equal shares the one. */
  envelopePoints: amountField('points').optional(),
  envelopeCash: amountField('cny').optional(),
  envelopeQuantity: z.int().min(1).max(mostShares).optional(),
  envelopeGreeting: plain.max(150).optional(),
  envelopeCover: z.enum(envelopeCovers).optional(),
  /** The name that a member goes by. */
  envelopeReceiver: plain.max(60).optional(),
  envelopeCommented: z.boolean().optional(),
  envelopeLevel: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional(),
  envelopeRole: id.optional(),
  envelopeFollowers: z.boolean().optional(),
  envelopeDays: z.int().min(0).max(3_650).optional(),
}
const GivenEnvelope = z.object(given)
export type GivenEnvelope = z.output<typeof GivenEnvelope>

const { envelopePoints, envelopeCash, envelopeCover } = given
/** The same beside a private message: it is for the other member, and what the message says is the greeting. */
export const givenInMessage = { envelopeKind: z.literal('targeted').optional(), envelopePoints, envelopeCash, envelopeCover }

const when = z.iso.datetime()
const Limits = z.object({ least: z.string(), most: z.string(), have: z.string() })

export const envelopeForm = read('/redEnvelope/form', {
  summary: 'What I may give as a red envelope here, and what I have. Null where nothing may be given.',
  input: nothing,
  output: z.object({
    points: Limits.nullable(),
    cash: Limits.nullable(),
    mostShares: z.number(),
    /** How many I may still give today. */
    leftToday: z.number(),
    hours: z.number(),
    /** From the lowest, with the points that each begins at. */
    levels: z.array(z.object({ needs: z.string(), name: NameView })),
    /** The roles that members show. */
    roles: z.array(z.object({ id: z.string(), name: NameView })),
  }),
})

export const ShareView = z.object({
  member: AuthorView.nullable(),
  /** As people type it. */
  amount: z.string(),
  at: when,
  /** The largest, once all are taken. */
  isBest: z.boolean(),
})
export type ShareView = z.infer<typeof ShareView>

export const EnvelopeView = z.object({
  id: z.string(),
  kind: z.enum(envelopeKinds),
  giver: AuthorView.nullable(),
  receiver: AuthorView.nullable(),
  topicId: z.string().nullable(),
  currency: z.enum(currencies),
  greeting: z.string(),
  cover: z.enum(envelopeCovers),
  quantity: z.number(),
  /** Shares that were opened. */
  taken: z.number(),
  state: z.enum(envelopeStates),
  endsAt: when.nullable(),
  conditions: Conditions,
  /** The one of its conditions; null also where it was removed, and nobody has it. */
  role: NameView.nullable(),
  /** What I got; null where I opened none. */
  mine: z.string().nullable(),
  isOwn: z.boolean(),
  /** It is not somebody else's alone, nor one's own where those stay shut. */
  mayTry: z.boolean(),
  /** A captcha comes before opening it. */
  needsCaptcha: z.boolean(),
  /** Its sum: for the giver, for those who opened it where it was not cut at random, and for all once it is over. */
  amount: z.string().nullable(),
})
export type EnvelopeView = z.infer<typeof EnvelopeView>

export const envelope = read('/redEnvelope', {
  summary: 'One red envelope that I may see, without what unopened shares hold.',
  input: z.object({ envelopeId: id }),
  output: EnvelopeView,
})

export const envelopeNews = read('/redEnvelope/news', {
  summary: 'Listens for what becomes of a red envelope: an event tells how many shares were opened and how it stands, and so does its id.',
  input: z.object({ envelopeId: id }),
  output: z.object({ taken: z.number(), state: z.enum(envelopeStates) }),
})

export const openEnvelope = write('/user/control/redEnvelope/open', {
  summary:
    'Opens a red envelope: the share that I get is mine at once, and once. Opened again it answers the same share. Where the site asks for one, a captcha comes along.',
  input: z.object({ envelopeId: id, ...captchaFields }),
  output: z.object({ currency: z.enum(currencies), amount: z.string(), isNew: z.boolean() }),
  errors: [
    Banned,
    BooksFrozen,
    EnvelopeEmpty,
    EnvelopeEnded,
    NotForYou,
    OwnEnvelope,
    NeedsComment,
    NeedsLevel,
    NeedsRole,
    NeedsFollowing,
    NeedsDays,
    CaptchaNeeded,
    CaptchaWrong,
  ],
})

export const giveEnvelope = write('/user/control/redEnvelope/add', {
  summary: 'Gives a red envelope to one member, beside no post.',
  input: z.object({ ...given, envelopeReceiver: plain.min(1).max(60) }),
  output: z.object({ envelopeId: z.string() }),
  errors: [...giveRefusals],
})
