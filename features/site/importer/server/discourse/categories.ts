import { piecesFromHtml } from '#importer/server/body/html.ts'
import { documentOf } from '#importer/server/body/pieces.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { groups } from '#importer/server/discourse/members.ts'
import { automatic, isOn, str, type Discourse } from '#importer/server/discourse/source.ts'
import { mostTopicTags, type SourceTag } from '#importer/server/source.ts'
import { allRows, numberKeys } from '#importer/server/tables/pages.ts'
import { id, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

const columns = ['id', 'name', 'slug', 'description', 'position', 'parent_category_id', 'read_restricted']

function storedCategories({ tables }: Discourse): Promise<Row[]> {
  return allRows(tables, { table: 'categories', columns, keys: numberKeys('id') })
}

/** Categories on two or three levels, all of which hold topics. */
export async function categories(discourse: Discourse): Promise<SourceTag[]> {
  const rows = (await storedCategories(discourse)).toSorted((one, other) => integer(one, 'position') - integer(other, 'position'))
  const granted = Map.groupBy(
    await allRows(discourse.tables, {
      table: 'category_groups',
      columns: ['id', 'category_id', 'group_id', 'permission_type'],
      keys: numberKeys('id'),
    }),
    (row) => id(row, 'category_id'),
  )
  const named = (await groups(discourse)).filter(({ name, isBuiltIn }) => isBuiltIn && name === automatic.membersName)
  const ofMembers = new Set([automatic.members, ...named.map((group) => group.id)])
  return rows.map((row, order) => ({
    id: id(row, 'id'),
    parentId: row['parent_category_id'] ? id(row, 'parent_category_id') : null,
    name: str(row, 'name'),
    description: toText(documentOf(piecesFromHtml(str(row, 'description')).pieces)),
    order,
    ...permissions(granted.get(id(row, 'id')) ?? [], {
      ofMembers,
      isRestricted: flag(row, 'read_restricted'),
      asksToLogIn: isOn(discourse, 'login_required'),
    }),
  }))
}

/** The most used topic tags of what everybody reads, whose topics Discourse counts apart; none of a site that asks everybody to log in. */
export async function topicTags(discourse: Discourse, from: number): Promise<SourceTag[]> {
  const { tables, hiddenTagIds } = discourse
  const has = (await tables.tables()).includes('tags') ? await tables.columns('tags') : []
  if (isOn(discourse, 'login_required') || !has.some(({ name }) => name === 'public_topic_count')) return []
  const rows = await allRows(tables, { table: 'tags', columns: ['id', 'name', 'public_topic_count'], keys: numberKeys('id') })
  const open = rows.filter((row) => integer(row, 'public_topic_count') > 0 && !hiddenTagIds.has(id(row, 'id')))
  const mostUsed = open.toSorted((one, other) => integer(other, 'public_topic_count') - integer(one, 'public_topic_count'))
  return mostUsed.slice(0, mostTopicTags).map((row, index) => ({
    id: `tag/${str(row, 'name')}`,
    parentId: null,
    isTopicTag: true,
    name: str(row, 'name'),
    description: '',
    order: from + index,
    readers: 'everybody',
    writers: 'members',
  }))
}

const full = 1
const reply = 2

/**
 * Without any permission a category is everybody's. `read_restricted` asks for a group that a member is in, and nobody is in “everyone”.
 * Levels of trust have no place, so what needs one is for nobody.
 */
function permissions(granted: readonly Row[], { ofMembers, isRestricted, asksToLogIn }: Access): Permissions {
  const readers = granted.map((row) => id(row, 'group_id'))
  const may = (most: number): 'members' | string[] => {
    if (granted.length === 0) return isRestricted ? [] : 'members'
    const ids = granted.flatMap((row) => (integer(row, 'permission_type') <= most ? [id(row, 'group_id')] : []))
    return ids.some((one) => one === automatic.everyone || ofMembers.has(one)) ? 'members' : ids
  }
  const isOfMembers = isRestricted ? readers.some((one) => ofMembers.has(one)) : asksToLogIn
  return {
    readers: isOfMembers ? 'members' : isRestricted ? readers : 'everybody',
    writers: may(full),
    commenters: may(reply),
  }
}

type Access = { ofMembers: ReadonlySet<string>; isRestricted: boolean; asksToLogIn: boolean }
type Permissions = Pick<SourceTag, 'readers' | 'writers' | 'commenters'>

/** The ids of categories by `c/` and their slugs, as older addresses have them. */
export async function categoryAddresses(discourse: Discourse): Promise<Record<string, string>> {
  const rows = await storedCategories(discourse)
  const byId = new Map(rows.map((row) => [id(row, 'id'), row]))
  const slugOf = (row: Row) => str(row, 'slug') || `${id(row, 'id')}-category`
  return Object.fromEntries(
    rows.map((row) => {
      const path = [slugOf(row)]
      for (let parent = byId.get(id(row, 'parent_category_id')); parent && path.length < maxLevels;) {
        path.unshift(slugOf(parent))
        parent = byId.get(id(parent, 'parent_category_id'))
      }
      return [`c/${path.join('/').toLowerCase()}`, id(row, 'id')]
    }),
  )
}

const maxLevels = 3
