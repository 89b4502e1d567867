import { toText } from '#base/rich-text/to-text.ts'
import { documentFromPhpbb } from '#importer/server/body/phpbb-bbcode.ts'
import type { SourceTag } from '#importer/server/source.ts'
import { allRows, numberKeys } from '#importer/server/tables/pages.ts'
import { id, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { groups } from '#importer/server/phpbb/members.ts'
import { escapedText, type Phpbb } from '#importer/server/phpbb/source.ts'

const category = 0
const link = 2

/** Categories and forums in their order; links to elsewhere are none. */
export async function forums(phpbb: Phpbb): Promise<SourceTag[]> {
  const columns = ['forum_id', 'parent_id', 'left_id', 'forum_name', 'forum_desc', 'forum_desc_uid', 'forum_type', 'forum_password']
  const rows = await allRows(phpbb.tables, { table: phpbb.table('forums'), columns, keys: numberKeys('forum_id') })
  const may = await permissions(phpbb)
  return rows.flatMap((row) => {
    if (integer(row, 'forum_type') === link) return []
    const [its, parent] = [id(row, 'forum_id'), id(row, 'parent_id')]
    const isCategory = integer(row, 'forum_type') === category
    const isOpen = text(row, 'forum_password', phpbb.decode) === ''
    return [
      {
        id: its,
        parentId: parent === '0' ? null : parent,
        isCategory,
        name: escapedText(phpbb, row, 'forum_name'),
        description: descriptionIn(phpbb, row),
        order: integer(row, 'left_id'),
        readers: isCategory ? may.list(its) : isOpen ? may.read(its) : [],
        writers: isCategory ? 'members' : may.post(its),
        commenters: isCategory ? 'members' : may.reply(its),
      },
    ]
  })
}

function descriptionIn(phpbb: Phpbb, row: Row): string {
  const written = text(row, 'forum_desc', phpbb.decode)
  return written === '' ? '' : toText(documentFromPhpbb(written, { bbcodeUid: text(row, 'forum_desc_uid', phpbb.decode) }).document)
}

type Permissions = {
  list(categoryId: string): SourceTag['readers']
  read(forumId: string): SourceTag['readers']
  post(forumId: string): SourceTag['writers']
  reply(forumId: string): SourceTag['writers']
}

/**
 * Who may do what in each forum: groups with a permission of their own or by a role. A `never` beats every yes, and what nobody was permitted is
 * for nobody: all of it, in a dump without the tables of permissions. A category is seen by whoever sees something in it, so one without
 * permissions is open. Permissions of single members have no place.
 */
async function permissions(phpbb: Phpbb): Promise<Permissions> {
  const isKnown = await hasPermissions(phpbb)
  const [granted, all] = [isKnown ? await grantedIn(phpbb) : new Map<string, string[]>(), await groups(phpbb)]
  const ofSystem = (name: string) => all.find(({ systemName }) => systemName === name)?.id
  const [guests, registered] = [ofSystem('GUESTS') ?? '1', ofSystem('REGISTERED') ?? '2']
  const groupsWith = (forumId: string, option: string) => granted.get(`${forumId} ${option}`) ?? []
  const readers = (ids: readonly string[]) => (ids.includes(guests) ? 'everybody' : ids.includes(registered) ? 'members' : ids)
  const writers = (ids: readonly string[]) => (ids.includes(registered) || ids.includes(guests) ? 'members' : ids)
  return {
    list: (categoryId) => readers(granted.get(`${categoryId} f_list`) ?? (isKnown ? [guests] : [])),
    read: (forumId) => readers(groupsWith(forumId, 'f_read')),
    post: (forumId) => writers(groupsWith(forumId, 'f_post')),
    reply: (forumId) => writers(groupsWith(forumId, 'f_reply')),
  }
}

/** Whether all tables are there that say who may read: a `never` may stand in any of them. */
export async function hasPermissions({ tables, table }: Phpbb): Promise<boolean> {
  const present = await tables.tables()
  return ['acl_groups', 'acl_options', 'acl_roles_data'].every((name) => present.includes(table(name)))
}

const yes = 1
const never = 0

/** The groups with each option in each forum, by `FORUM OPTION`. */
async function grantedIn(phpbb: Phpbb): Promise<Map<string, string[]>> {
  const options = await namesOf(phpbb)
  const ofRoles = await settingsOfRoles(phpbb)
  const rows = await allRows(phpbb.tables, {
    table: phpbb.table('acl_groups'),
    columns: ['group_id', 'forum_id', 'auth_option_id', 'auth_role_id', 'auth_setting'],
    keys: numberKeys('group_id', 'forum_id', 'auth_option_id', 'auth_role_id'),
  })
  const settings = new Map<string, number>()
  const set = (key: string, setting: number) => {
    const before = settings.get(key)
    if (before === undefined || setting === never || (before !== never && setting === yes)) settings.set(key, setting)
  }
  for (const row of rows) {
    const [group, forum, role] = [id(row, 'group_id'), id(row, 'forum_id'), id(row, 'auth_role_id')]
    const its = role === '0' ? [{ option: id(row, 'auth_option_id'), setting: integer(row, 'auth_setting') }] : (ofRoles.get(role) ?? [])
    for (const { option, setting } of its) set(`${forum} ${options.get(option) ?? ''} ${group}`, setting)
  }
  const granted = new Map<string, string[]>()
  for (const [key, setting] of settings) {
    const [forum = '', option = '', group = ''] = key.split(' ')
    const place = `${forum} ${option}`
    const ids = granted.get(place) ?? []
    if (setting === yes) ids.push(group)
    granted.set(place, ids)
  }
  return granted
}

async function namesOf(phpbb: Phpbb): Promise<Map<string, string>> {
  const rows = await allRows(phpbb.tables, {
    table: phpbb.table('acl_options'),
    columns: ['auth_option_id', 'auth_option'],
    keys: numberKeys('auth_option_id'),
  })
  return new Map(rows.map((row) => [id(row, 'auth_option_id'), text(row, 'auth_option', phpbb.decode)]))
}

async function settingsOfRoles(phpbb: Phpbb): Promise<Map<string, { option: string; setting: number }[]>> {
  const rows = await allRows(phpbb.tables, {
    table: phpbb.table('acl_roles_data'),
    columns: ['role_id', 'auth_option_id', 'auth_setting'],
    keys: numberKeys('role_id', 'auth_option_id'),
  })
  const byRole = Map.groupBy(rows, (row) => id(row, 'role_id'))
  const settingOf = (row: Row) => ({ option: id(row, 'auth_option_id'), setting: integer(row, 'auth_setting') })
  return new Map([...byRole].map(([role, its]) => [role, its.map(settingOf)]))
}
