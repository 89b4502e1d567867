import { z } from 'zod'
import { id, nothing, refusal, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, Person, staffList } from '#base/staff-list.ts'
import { OwnAccount } from '#wallet/contract.ts'

/** Kinds of flows from one member to another. */
export const measures = ['points', 'cny', 'likes'] as const
export type Measure = (typeof measures)[number]

/** Facts that two accounts have in common. Registering at the same time supports a hint and never makes one. */
export const sharedKinds = ['address', 'browser', 'contact', 'person', 'invited', 'invitation', 'registered'] as const
export type SharedKind = (typeof sharedKinds)[number]

export const hintStates = ['open', 'dismissed'] as const

/** Payments and likes are looked at for so many days. */
export const hintDays = 90

export const Pattern = z.object({ measure: z.enum(measures), shape: z.enum(['ring', 'oneWay']) })
export type Pattern = z.infer<typeof Pattern>

export const Flow = z.object({
  from: z.string(),
  to: z.string(),
  measure: z.enum(measures),
  /** For likes, the points that they gave. */
  amount: z.string(),
  times: z.number(),
  /** In percent of the giver's flows to all members, and of the receiver's flows from all members. */
  ofGiven: z.number(),
  ofReceived: z.number(),
  firstAt: time,
  lastAt: time,
  /** The newest transactions, newest first. */
  transactionIds: z.array(z.string()),
})
export type Flow = z.infer<typeof Flow>

export const Shared = z.object({ kind: z.enum(sharedKinds), members: z.array(z.string()) })
export type Shared = z.infer<typeof Shared>

export const hints = staffList('/admin/collusion/list', {
  summary: 'Members suspected of moving points, balance or likes in circles or one way between accounts of one person, with the reasons.',
  words: 'collusionAdmin',
  columns: {
    members: field.other(z.array(Person)),
    patterns: field.labelled('why', field.other(z.array(Pattern))),
    flows: field.labelled('moved', field.other(z.array(Flow))),
    updatedAt: field.labelled('updated', field.time),
    foundAt: field.extra(field.labelled('found', field.time)),
    state: field.composed,
  },
  values: {
    shared: z.array(Shared),
    dismissed: z.object({ at: time, by: z.string(), reason: z.string(), returnedAt: time.nullable() }).nullable(),
    isOfMe: z.boolean(),
  },
  filters: {
    state: field.defaultChoice(hintStates, (state) => (state === 'dismissed' ? 'dismissedState' : state)),
    measure: field.choice(measures),
    member: field.person,
  },
  sorts: { updated: 'updatedAt', found: 'foundAt' },
})
export type HintView = z.output<typeof hints.row>

export const HintChanged = refusal('collusion.hintChanged', { status: 409 })

export const dismissHint = write('/admin/collusion/dismiss', {
  summary: 'Dismisses a hint until new activity occurs between its members.',
  input: z.object({ hintId: id, /** The version that was read. */ updatedAt: z.iso.datetime(), reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [OwnAccount, HintChanged],
})
