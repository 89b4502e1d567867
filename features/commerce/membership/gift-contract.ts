import { z } from 'zod'
import { ChangedSince } from '#audit/contract.ts'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { GiftRoleGone, GiftTaskFinished, GiftTaskUsed, units } from '#membership/contract.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'

export const giftKinds = ['continuous', 'once'] as const
export const maxDuration = 1_000

// Other dates are outside the calendar of the site.
const day = z.iso.date().refine((value) => value >= '1970-01-01' && value <= '2999-12-31')

/** The conditions for the receivers: the days of their registration, the second exclusive, and their earned points. */
const conditions = {
  registeredFrom: day.optional(),
  registeredBefore: day.optional(),
  minPoints: z.int().min(0).max(999_999_999_999).optional(),
}

const taskFields = {
  name: plainString.min(1).max(60),
  roleId: id,
  kind: z.enum(giftKinds).default('continuous'),
  ...conditions,
  /** Days of the site, both inclusive. */
  startsOn: day.optional(),
  endsOn: day.optional(),
  duration: z.int().min(1).max(maxDuration),
  unit: z.enum(units).default('day'),
  isEnabled: z.boolean().default(false),
}

type Days = Partial<Record<'registeredFrom' | 'registeredBefore' | 'startsOn' | 'endsOn', string | undefined>>

const withOrderedDays = <Terms extends z.ZodType<Days>>(schema: Terms) =>
  schema
    .refine(({ registeredFrom, registeredBefore }) => !registeredFrom || !registeredBefore || registeredFrom < registeredBefore, {
      path: ['registeredBefore'],
      params: { code: 'membership.giftDaysBackwards' },
    })
    .refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn <= endsOn, {
      path: ['endsOn'],
      params: { code: 'membership.giftDaysBackwards' },
    })

export const giftStates = ['off', 'planned', 'running', 'finished', 'over'] as const

export const GiftTaskView = z.object({
  id: z.string(),
  version: z.number(),
  name: z.string(),
  /** Null if the role was deleted. */
  role: z.object({ id: z.string(), name: NameView }).nullable(),
  kind: z.enum(giftKinds),
  registeredFrom: z.string().nullable(),
  registeredBefore: z.string().nullable(),
  minPoints: z.number().nullable(),
  startsOn: z.string().nullable(),
  endsOn: z.string().nullable(),
  duration: z.number(),
  unit: z.enum(units),
  isEnabled: z.boolean(),
  state: z.enum(giftStates),
  /** Members who got it, and those who were skipped because they hold the role without an end. */
  given: z.number(),
  skipped: z.number(),
})
export type GiftTaskView = z.infer<typeof GiftTaskView>

export const giftTasks = read('/admin/giftTask/list', {
  summary: 'Gift tasks, which give matching members a role for a limited time.',
  input: nothing,
  output: z.object({ tasks: z.array(GiftTaskView), roles: z.array(z.object({ id: z.string(), name: NameView })), timeZone: z.string() }),
})

export const addGiftTask = write('/admin/giftTask/add', {
  summary:
    'Adds a gift task. If enabled, it gives the role to all matches within a minute; a continuous task also gives it to later matches.',
  input: withOrderedDays(z.object(taskFields)),
  output: z.object({ taskId: z.string() }),
  errors: [GiftRoleGone, MoreThanOwn],
})

export const editGiftTask = write('/admin/giftTask/edit', {
  summary: 'Changes a gift task. Members who received the gift keep it and do not receive it again.',
  input: withOrderedDays(z.object({ taskId: id, version: z.int().min(1), ...taskFields })),
  output: nothing,
  errors: [ChangedSince, GiftRoleGone, GiftTaskFinished, MoreThanOwn],
})

export const removeGiftTask = write('/admin/giftTask/remove', {
  summary: 'Removes a gift task that has given no gifts.',
  input: z.object({ taskId: id }),
  output: nothing,
  errors: [GiftTaskUsed],
})

const Receiver = z.object({ id: z.string(), name: z.string(), registeredAt: time, points: z.number() })

export const previewGiftTask = read('/admin/giftTask/preview', {
  summary: 'Preview of the members who would receive a gift now. Nothing is given.',
  input: z.object({ roleId: id, /** Excludes the members who got this one. */ taskId: id.optional(), ...conditions }),
  output: z.object({
    count: z.number(),
    /** The number of those who hold the role without an end, and get nothing. */
    forGood: z.number(),
    /** The first of them. */
    members: z.array(Receiver.extend({ isForGood: z.boolean() })),
  }),
})

export const gifts = staffList('/admin/giftTask/gifts', {
  summary: 'Recipients of a gift, newest first. Times are null for those who already held the role permanently.',
  words: 'membershipAdmin',
  columns: {
    member: field.labelled('giftMember', field.person),
    at: field.labelled('giftAt', field.time),
    endsAt: field.labelled('orderEnds', field.orNull(field.time)),
  },
  values: { startsAt: time.nullable() },
  filters: { taskId: field.typed(id) },
  sorts: { at: 'at' },
})
