import { z } from 'zod'
import { refusal } from '#base/contract.ts'

export type { FunctionName, Right } from '#role/all-rights.ts'

export const NameView = z.object({ zh: z.string(), en: z.string() })
export type NameView = z.infer<typeof NameView>

export const RoleView = z.object({
  id: z.string(),
  name: NameView,
  /** Null where it does not end. */
  endsAt: z.iso.datetime().nullable(),
})

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
