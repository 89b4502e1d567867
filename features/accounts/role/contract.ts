import { z } from 'zod'
import { refusal } from '#base/contract.ts'
import { kinds } from '#kind/contract.ts'

export type { Right } from '#role/all-rights.ts'

export const NameView = z.object({ zh: z.string(), en: z.string() })
export type NameView = z.infer<typeof NameView>

export const RoleView = z.object({
  id: z.string(),
  name: NameView,
  /** Null where it does not end. */
  endsAt: z.iso.datetime().nullable(),
})

/** The functions that a member can be banned from. A later feature adds its own here, and guards its endpoints against banned members. */
export const functions = [...kinds, 'like', 'message', 'money', 'upload', 'profile', 'report', 'feedback', 'appeal', 'assistant'] as const
/** Public functions, from which a spammer is banned, and private messages. Writing to staff stays possible. */
export const publicFunctions = [...kinds, 'message', 'upload', 'profile'] as const satisfies readonly (typeof functions)[number][]
export type FunctionName = (typeof functions)[number]

export const Banned = refusal('role.banned')
export const RoleChanged = refusal('role.changed', { status: 409, field: 'version' })
export const RoleHeld = refusal('role.held')
export const DefaultStays = refusal('role.defaultStays')
/** A membership card sells it. */
export const RoleSold = refusal('role.sold')
/** A gift task gives it. */
export const RoleGiven = refusal('role.given')
export const MoreThanOwn = refusal('role.moreThanOwn', { status: 403 })
export const RightHasNoPlace = refusal('role.rightHasNoPlace', { field: 'rights' })
