import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { CaptchaNeeded, captchaFields, CaptchaWrong } from '#captcha/contract.ts'
import { Banned, NameView } from '#role/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { amountField, BooksFrozen, currencies, moneyRefusals } from '#wallet/contract.ts'

/** For one named member, cut at random, or cut into equal shares. */
export const envelopeKinds = ['targeted', 'random', 'fixed'] as const
export type EnvelopeKind = (typeof envelopeKinds)[number]
export const envelopeCovers = ['lantern', 'plum', 'tea', 'cloud'] as const
export const envelopeStates = ['waiting', 'open', 'taken', 'returned', 'dropped'] as const

const at = (field: string) => ({ field })
export const PointsOutside = refusal('redEnvelope.pointsOutside', at('envelopePoints'))
export const CashOutside = refusal('redEnvelope.cashOutside', at('envelopeCash'))
export const PointsShort = refusal('redEnvelope.pointsShort', at('envelopePoints'))
export const CashShort = refusal('redEnvelope.cashShort', at('envelopeCash'))
/** Carries the sum that the giver owes. */
export const PointsOwed = refusal('redEnvelope.pointsOwed', at('envelopePoints'))
export const CashOwed = refusal('redEnvelope.cashOwed', at('envelopeCash'))
export const NoPointsHere = refusal('redEnvelope.noPointsHere', at('envelopePoints'))
export const NoCashHere = refusal('redEnvelope.noCashHere', at('envelopeCash'))
/** An envelope has either points or money. */
export const OneCurrency = refusal('redEnvelope.oneCurrency', at('envelopePoints'))
/** The amount is smaller than one unit per share. */
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
  PointsOwed,
  CashOwed,
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
  /** Giving money requires a recent proof of identity. */
  ProveAgain,
  ...moneyRefusals,
] as const

export const EnvelopeEmpty = refusal('redEnvelope.empty', { status: 409 })
/** The envelope expired or its post is gone, and the rest went back. */
export const EnvelopeEnded = refusal('redEnvelope.ended', { status: 409 })
export const NotForYou = refusal('redEnvelope.notForYou', { status: 403 })
export const OwnEnvelope = refusal('redEnvelope.own', { status: 403 })
/** The first condition that the member does not meet. */
export const NeedsComment = refusal('redEnvelope.needsComment')
export const NeedsLevel = refusal('redEnvelope.needsLevel')
export const NeedsRole = refusal('redEnvelope.needsRole')
export const NeedsFollowing = refusal('redEnvelope.needsFollowing')
export const NeedsDays = refusal('redEnvelope.needsDays')
/** What keeps a member from opening an envelope that is offered to them: a ban, its conditions, or frozen books. */
export const obstacles = ['banned', 'comment', 'level', 'role', 'following', 'days', 'books'] as const
export type Obstacle = (typeof obstacles)[number]

export const Conditions = z.object({
  commented: z.boolean().optional(),
  /** The points at which a level begins. */
  level: z.string().optional(),
  roleId: z.string().optional(),
  follows: z.boolean().optional(),
  /** The member registered at least this many days ago. */
  days: z.number().optional(),
})
export type Conditions = z.infer<typeof Conditions>

export const maxShares = 100_000

/** The fields of a new envelope, beside a post or alone. */
export const envelopeFields = {
  envelopeKind: z.enum(envelopeKinds).optional(),
  /** The total; for equal shares the amount of one. */
  envelopePoints: amountField('points').optional(),
  envelopeCash: amountField('cny').optional(),
  envelopeQuantity: z.int().min(1).max(maxShares).optional(),
  envelopeGreeting: plainString.max(150).optional(),
  envelopeCover: z.enum(envelopeCovers).optional(),
  /** The receiver's name. */
  envelopeReceiver: plainString.max(60).optional(),
  envelopeCommented: z.boolean().optional(),
  envelopeLevel: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional(),
  envelopeRole: id.optional(),
  envelopeFollowers: z.boolean().optional(),
  envelopeDays: z.int().min(0).max(3_650).optional(),
}
const GivenEnvelope = z.object(envelopeFields)
export type GivenEnvelope = z.output<typeof GivenEnvelope>

const [conditions, receiver] = [/^envelope(Commented|Level|Role|Followers|Days)$/, 'envelopeReceiver']

/** A form with fields of an envelope. Refuses what its kind does not use, and everything without a kind. */
export function withEnvelope<Form extends z.ZodObject>(form: Form, onlyKind?: EnvelopeKind): Form {
  const isUsed = (field: string) => (input: GivenEnvelope) => {
    const { envelopeKind: kind = onlyKind, envelopeQuantity: quantity } = input
    if (kind !== 'targeted') return kind !== undefined && field !== receiver
    return !conditions.test(field) && (field !== 'envelopeQuantity' || quantity === 1)
  }
  const fields = Object.keys(envelopeFields).filter((field) => field !== 'envelopeKind' && Object.hasOwn(form.shape, field))
  return refuseUnused(form, Object.fromEntries(fields.map((field) => [field, isUsed(field)])) as never)
}

const { envelopePoints, envelopeCash, envelopeCover } = envelopeFields
/** The fields beside a private message: the receiver is the other member, and the message is the greeting. */
export const messageEnvelopeFields = { envelopeKind: z.literal('targeted').optional(), envelopePoints, envelopeCash, envelopeCover }

const when = z.iso.datetime()
const Limits = z.object({ least: z.string(), most: z.string(), have: z.string() })

export const envelopeForm = read('/redEnvelope/form', {
  summary: 'Limits and options for a new red envelope in this context, with the member’s funds. Null if the member may give none.',
  input: nothing,
  output: z.object({
    points: Limits.nullable(),
    cash: Limits.nullable(),
    mostShares: z.number(),
    /** The remaining number that the member may give today. */
    leftToday: z.number(),
    hours: z.number(),
    /** From the lowest, with the points at which each begins. */
    levels: z.array(z.object({ needs: z.string(), name: NameView })),
    /** The roles that members show. */
    roles: z.array(z.object({ id: z.string(), name: NameView })),
  }),
})

export const ShareView = z.object({
  member: AuthorView.nullable(),
  /** As typed: whole points, or yuan with two decimals. */
  amount: z.string(),
  at: when,
  /** The largest share, once all are taken. */
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
  /** The number of opened shares. */
  taken: z.number(),
  state: z.enum(envelopeStates),
  endsAt: when.nullable(),
  conditions: Conditions,
  /** The role of its conditions; null also if the role was removed, so that no member has it. */
  role: NameView.nullable(),
  /** The level of its conditions; null also if no level begins at these points any more. */
  level: NameView.nullable(),
  /** The days since their registration that it takes, by its conditions or the site’s. */
  minDays: z.number(),
  /** The member's share; null if they opened none. */
  mine: z.string().nullable(),
  isOwn: z.boolean(),
  /** The envelope is not for another member, and not the viewer's own on a site that excludes givers. */
  mayTry: z.boolean(),
  /** The first obstacle for a member who may try; null for visitors. */
  obstacle: z.enum(obstacles).nullable(),
  /** Opening it requires a captcha. */
  needsCaptcha: z.boolean(),
  /** Its total: for the giver, for openers unless it was cut at random, and for everybody once it is over. */
  amount: z.string().nullable(),
})
export type EnvelopeView = z.infer<typeof EnvelopeView>

export const envelope = read('/redEnvelope', {
  summary: 'A red envelope visible to the member, without the amounts of unopened shares.',
  input: z.object({ envelopeId: id }),
  output: EnvelopeView,
})

export const envelopeNews = read('/redEnvelope/news', {
  summary:
    'Streams the state of a red envelope as server-sent events. Each event and its id carry the number of opened shares and the state.',
  input: z.object({ envelopeId: id }),
  output: z.object({ taken: z.number(), state: z.enum(envelopeStates) }),
})

export const openEnvelope = write('/user/control/redEnvelope/open', {
  summary: 'Opens a share of a red envelope and credits it to the member. Idempotent: each member gets one share; may require a captcha.',
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
  summary: 'Gives a red envelope to one member, without a post.',
  input: withEnvelope(
    z.object({ ...envelopeFields, envelopeKind: z.literal('targeted').optional(), envelopeReceiver: plainString.min(1).max(60) }),
    'targeted',
  ),
  output: z.object({ envelopeId: z.string() }),
  errors: [...giveRefusals],
})
