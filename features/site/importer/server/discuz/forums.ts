import type { SourceTag } from '#importer/server/source.ts'
import { allRows, numberKeys, rowsBy } from '#importer/server/tables/pages.ts'
import { id, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { plainText, tabbed, type Discuz } from '#importer/server/discuz/source.ts'

const guests = '7'
const hidden = 0
const permissions = ['viewperm', 'postperm', 'replyperm'] as const

/** Categories, forums and those below them, in the order of each level. */
export async function forums(discuz: Discuz): Promise<SourceTag[]> {
  const rows = await allRows(discuz.tables, {
    table: discuz.table('forum_forum'),
    columns: ['fid', 'fup', 'name', 'status', 'type', 'displayorder'],
    keys: numberKeys('fid'),
  })
  const fields = await rowsBy(
    discuz.tables,
    { table: discuz.table('forum_forumfield'), columns: ['description', 'password', ...permissions], column: 'fid' },
    rows.map((row) => id(row, 'fid')),
  )
  const first = await firstLevel(discuz)
  return inOrder(rows).map((row, order) => {
    const field = fields.get(id(row, 'fid'))?.[0]
    const permitted = (column: string) => (field ? tabbed(text(field, column, discuz.decode)) : [])
    const isLocked = field !== undefined && text(field, 'password', discuz.decode) !== ''
    const parent = id(row, 'fup')
    return {
      id: id(row, 'fid'),
      parentId: parent === '0' ? null : parent,
      isCategory: text(row, 'type', discuz.decode) === 'group',
      name: withoutTags(plainText(discuz, row, 'name')),
      description: field ? withoutTags(plainText(discuz, field, 'description')) : '',
      order,
      readers: integer(row, 'status') === hidden || isLocked ? [] : readersOf(permitted('viewperm'), first),
      writers: writersOf(permitted('postperm'), first),
      commenters: writersOf(permitted('replyperm'), first),
    }
  })
}

const usualFirst = '10'

/** The group of members without credits. A list of groups that holds it holds all members. */
async function firstLevel({ tables, table, decode }: Discuz): Promise<string> {
  const rows = await allRows(tables, {
    table: table('common_usergroup'),
    columns: ['groupid', 'type', 'creditshigher', 'creditslower'],
    keys: numberKeys('groupid'),
  })
  const first = rows.find(
    (row) => text(row, 'type', decode) === 'member' && integer(row, 'creditshigher') <= 0 && integer(row, 'creditslower') > 0,
  )
  return first ? id(first, 'groupid') : usualFirst
}

/** Groups that members reach by credits and some forums name: these forums are for the members who are in them now. */
export async function namedLevels(discuz: Discuz): Promise<Set<string>> {
  const rows = await allRows(discuz.tables, {
    table: discuz.table('forum_forumfield'),
    columns: ['fid', ...permissions],
    keys: numberKeys('fid'),
  })
  const first = await firstLevel(discuz)
  const lists = rows.flatMap((row) => permissions.map((column) => tabbed(text(row, column, discuz.decode))))
  return new Set(lists.flatMap((groups) => (groups.includes(first) || groups.includes(guests) ? [] : groups)))
}

function inOrder(rows: readonly Row[]): Row[] {
  const below = Map.groupBy(
    rows.toSorted((one, other) => integer(one, 'displayorder') - integer(other, 'displayorder')),
    (row) => id(row, 'fup'),
  )
  const placed: Row[] = []
  const place = (parent: string) => {
    const children = below.get(parent) ?? []
    below.delete(parent)
    for (const row of children) {
      placed.push(row)
      place(id(row, 'fid'))
    }
  }
  place('0')
  // Forums below one that is gone.
  for (const parent of below.keys()) place(parent)
  return placed
}

/** An empty list is for everybody. */
function readersOf(groups: readonly string[], first: string): SourceTag['readers'] {
  if (groups.length === 0 || groups.includes(guests)) return 'everybody'
  return groups.includes(first) ? 'members' : groups
}

function writersOf(groups: readonly string[], first: string): SourceTag['writers'] {
  return groups.length === 0 || groups.includes(first) ? 'members' : groups
}

function withoutTags(text: string): string {
  return text.replaceAll(/<[^>]*>/g, '').trim()
}
