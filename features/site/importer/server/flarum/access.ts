import type { SourceTag } from '#importer/server/source.ts'
import { admins, everyMember, guests, id, plainText, smallTable, type Flarum } from '#importer/server/flarum/source.ts'

/** Who may do something: groups by their ids. */
export type Access = SourceTag['readers']
export type Rights = { view: Access; start: Access; reply: Access }

/** Whoever is in both. Members of groups that lie across each other are left out. */
export function both(one: Access, other: Access): Access {
  if (includes(one, other)) return other
  if (includes(other, one) || typeof other === 'string') return one
  return typeof one === 'string' ? other : one.filter((group) => other.includes(group))
}

/** Whether everybody of the second is in the first. */
export function includes(all: Access, some: Access): boolean {
  if (all === 'everybody' || some === 'everybody') return all === 'everybody'
  if (all === 'members' || some === 'members') return all === 'members'
  return some.every((group) => all.includes(group))
}

/** Nobody writes who is not logged in. */
export function membersIn(access: Access): SourceTag['writers'] {
  return access === 'everybody' ? 'members' : access
}

/**
 * The rights in a tag: its own alone where it is restricted, else those of the whole forum. Pass null for those of the whole forum.
 * Administrators may everything, so no row says so.
 */
export async function rightsIn(flarum: Flarum): Promise<(restrictedTagId: string | null) => Rights> {
  const rows = await smallTable(flarum, 'group_permission', {
    columns: ['group_id', 'permission'],
    keys: [
      { column: 'group_id', kind: 'number' },
      { column: 'permission', kind: 'text' },
    ],
  })
  const groups = Map.groupBy(rows, (row) => plainText(flarum, row, 'permission'))
  const access = (permission: string): Access => {
    const ids = (groups.get(permission) ?? []).map((row) => id(row, 'group_id')).filter((group) => group !== admins)
    if (ids.includes(guests)) return 'everybody'
    return ids.includes(everyMember) ? 'members' : ids
  }
  return (tagId) => {
    const scope = tagId === null ? '' : `tag${tagId}.`
    return { view: access(`${scope}viewForum`), start: access(`${scope}startDiscussion`), reply: access(`${scope}discussion.reply`) }
  }
}
