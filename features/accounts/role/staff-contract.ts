import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'
import { DefaultStays, MoreThanOwn, NameView, RightHasNoPlace, RoleChanged, RoleGiven, RoleHeld, RoleSold } from '#role/contract.ts'

/** A right everywhere that is not restricted, or in one tag. */
const GrantedRight = z.object({ right: z.enum([...tagRights, ...globalRights]), tagId: id.nullable() })

export const roleList = read('/admin/role/list', {
  summary: 'The roles of members with all they may, and the tags that rights may be held for.',
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
  summary: 'Makes a role that members may hold.',
  input: withLanguageFallback(z.object(roleForm), ['zh', 'en']),
  output: z.object({ roleId: z.string() }),
  errors: [RightHasNoPlace, MoreThanOwn],
})

export const editRole = write('/admin/role/edit', {
  summary: 'Changes a role: its names, its place among the others, and what those may who hold it.',
  input: withLanguageFallback(z.object({ roleId: id, version: z.int(), ...roleForm }), ['zh', 'en']),
  output: nothing,
  errors: [RoleChanged, RightHasNoPlace, MoreThanOwn],
})

export const makeRoleDefault = write('/admin/role/default', {
  summary: 'Makes a role everybody’s, in place of the one that was.',
  input: z.object({ roleId: id }),
  output: nothing,
  errors: [RoleSold, RoleGiven],
})

export const removeRole = write('/admin/role/remove', {
  summary: 'Removes a role. One that is held goes only with `evenIfHeld`; everybody’s stays.',
  input: z.object({ roleId: id, evenIfHeld: z.boolean().default(false) }),
  output: nothing,
  errors: [RoleHeld, DefaultStays, RoleSold, RoleGiven, MoreThanOwn],
})
