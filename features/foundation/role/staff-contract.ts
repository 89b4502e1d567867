import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'
import { DefaultStays, MoreThanOwn, NameView, RightHasNoPlace, RoleChanged, RoleGiven, RoleHeld, RoleSold } from '#role/contract.ts'

/** A right everywhere that is not restricted, or in one tag. */
const GrantedRight = z.object({ right: z.enum([...tagRights, ...globalRights]), tagId: id.nullable() })

export const roleList = read('/admin/role/list', {
  summary: 'Member roles with their rights, and the tags for which rights can be granted.',
  input: nothing,
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: NameView,
        isDefault: z.boolean(),
        sort: z.number(),
        version: z.number(),
        holders: z.number(),
        rights: z.array(z.object({ right: z.string(), tagId: z.string().nullable() })),
        cards: z.array(z.object({ id: z.string(), name: NameView })),
        tasks: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    tagRights: z.array(z.string()),
    plainRights: z.array(z.string()),
    tags: z.array(z.object({ id: z.string(), name: NameView, parentId: z.string().nullable(), isRestricted: z.boolean() })),
  }),
})

const name = plainString.min(1).max(50).optional()
const roleForm = {
  zh: name,
  en: name,
  sort: z.int().min(-1000).max(1000).default(0),
  rights: z.array(GrantedRight).max(5000).default([]),
}

export const addRole = write('/admin/role/add', {
  summary: 'Adds a member role.',
  input: withLanguageFallback(z.object(roleForm), ['zh', 'en']),
  output: z.object({ roleId: z.string() }),
  errors: [RightHasNoPlace, MoreThanOwn],
})

export const editRole = write('/admin/role/edit', {
  summary: 'Changes the names, the order and the rights of a member role.',
  input: withLanguageFallback(z.object({ roleId: id, version: z.int(), ...roleForm }), ['zh', 'en']),
  output: nothing,
  errors: [RoleChanged, RightHasNoPlace, MoreThanOwn],
})

export const makeRoleDefault = write('/admin/role/default', {
  summary: 'Makes a role the default role of all members, in place of the former one.',
  input: z.object({ roleId: id }),
  output: nothing,
  errors: [RoleSold, RoleGiven],
})

export const removeRole = write('/admin/role/remove', {
  summary: 'Removes a member role, except the default one. A role with holders requires `evenIfHeld`.',
  input: z.object({ roleId: id, evenIfHeld: z.boolean().default(false) }),
  output: nothing,
  errors: [RoleHeld, DefaultStays, RoleSold, RoleGiven, MoreThanOwn],
})
