import type { SourceTag } from '#importer/server/source.ts'
import { allRows, numberKeys, rowsBy } from '#importer/server/tables/pages.ts'
import { integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { id, plainText, tabbed, type Discuz } from '#importer/server/discuz/source.ts'

const guests = '7'
/** The lowest group that a member reaches by credits. */
const firstOfMembers = '10'
const hidden = 0

/** Categories, forums and those below them, in the order of each level. */
export async function forums(discuz: Discuz): Promise<SourceTag[]> {
  const rows = await allRows(discuz.tables, {
    table: discuz.table('forum_forum'),
    columns: ['fid', 'fup', 'name', 'status', 'type', 'displayorder'],
    keys: numberKeys('fid'),
  })
  const fields = await rowsBy(
    discuz.tables,
    { table: discuz.table('forum_forumfield'), columns: ['description', 'viewperm', 'postperm', 'replyperm', 'password'], column: 'fid' },
    rows.map((row) => id(row, 'fid')),
  )
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
      readers: integer(row, 'status') === hidden || isLocked ? [] : readersOf(permitted('viewperm')),
      writers: writersOf(permitted('postperm')),
      commenters: writersOf(permitted('replyperm')),
    }
  })
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
function readersOf(groups: readonly string[]): SourceTag['readers'] {
  if (groups.length === 0 || groups.includes(guests)) return 'everybody'
  return groups.includes(firstOfMembers) ? 'members' : groups
}

function writersOf(groups: readonly string[]): SourceTag['writers'] {
  return groups.length === 0 || groups.includes(firstOfMembers) ? 'members' : groups
}

function withoutTags(text: string): string {
  return text.replaceAll(/<[^>]*>/g, '').trim()
}
