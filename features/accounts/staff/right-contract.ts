import { z } from 'zod'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { MoreThanOwn, RoleChanged } from '#role/contract.ts'
import { staffRights } from './rights.ts'

// Calls that name all rights, apart from the others: pages of members load those, and not what is declared for staff.
export { staffRights, type StaffRight } from './rights.ts'

export const me = read('/admin/me', {
  summary: 'The signed-in staff account with its rights.',
  input: nothing,
  output: z.object({
    id: z.string(),
    account: z.string(),
    memberId: z.string(),
    rights: z.array(z.enum(staffRights)),
    /** Steps that are required before anything else. */
    owes: z.array(z.enum(['password', 'secondFactor'])),
    hasSecondFactor: z.boolean(),
    recoveryCodesLeft: z.number(),
    provedAt: z.iso.datetime(),
  }),
})

/** The version as it was read. */
const version = z.string().max(30).optional()

const roleName = plainString.min(1).max(30).optional()
const roleForm = {
  zh: roleName,
  en: roleName,
  rights: z.array(z.enum(staffRights)).max(100).default([]),
}

export const addStaffRole = write('/admin/staffRole/add', {
  summary: 'Adds a staff role. Its rights are limited to those of the acting account.',
  input: withLanguageFallback(z.object(roleForm), ['zh', 'en']),
  output: z.object({ roleId: z.string() }),
  errors: [MoreThanOwn],
})

export const editStaffRole = write('/admin/staffRole/edit', {
  summary: 'Changes a staff role, except the administrator’s. Fails if the role changed since it was read.',
  input: withLanguageFallback(z.object({ roleId: id, version, ...roleForm }), ['zh', 'en']),
  output: nothing,
  errors: [MoreThanOwn, RoleChanged],
})
