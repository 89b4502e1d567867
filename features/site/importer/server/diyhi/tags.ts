import { z } from 'zod'
import type { SourceTag } from '#importer/server/source.ts'
import { allRows, numberKeys } from '#importer/server/tables/pages.ts'
import { id, flag, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import type { Diyhi } from '#importer/server/diyhi/source.ts'

const ofTag = 20
const ofQuestions = 10_000_000
const rights = { view: 1_000, ask: 2_000, post: 2_000, comment: 7_000 } as const

/** Tags of topics, then those of questions, each on their two levels. */
export async function tags(diyhi: Diyhi): Promise<SourceTag[]> {
  const roles = await rolesOf(diyhi)
  const topics = await tagRows(diyhi, 'tag')
  const questions = await tagRows(diyhi, 'questiontag')
  return [
    ...topics.map((row, order) => ({ ...tagOf(diyhi, row, 'topic'), order, ...rightsIn(roles, row) })),
    ...questions.map((row, at) => ({ ...tagOf(diyhi, row, 'question'), order: topics.length + at, ...rightsToAsk(roles) })),
  ]
}

/** The highest first, as the program shows them. */
async function tagRows({ tables }: Diyhi, table: string): Promise<Row[]> {
  const columns = ['id', 'name', 'sort', 'image', 'parentId', 'childNodeNumber']
  const rows = await allRows(tables, { table, columns, keys: numberKeys('id') })
  return rows.toSorted((one, other) => integer(other, 'sort') - integer(one, 'sort'))
}

function tagOf({ decode }: Diyhi, row: Row, of: 'topic' | 'question') {
  const parent = id(row, 'parentId')
  return {
    id: `${of}/${id(row, 'id')}`,
    parentId: parent === '0' ? null : `${of}/${parent}`,
    isCategory: integer(row, 'childNodeNumber') > 0,
    name: text(row, 'name', decode),
    description: '',
    picture: text(row, 'image', decode) || null,
  }
}

const Resources = z.array(
  z.object({
    code: z.number().nullish(),
    type: z.number().nullish(),
    tagId: z.coerce.string().nullish(),
    userResourceList: z.array(z.object({ code: z.number().nullish(), selected: z.boolean().nullish() })).nullish(),
  }),
)
type Role = { id: string; isDefault: boolean; resources: z.infer<typeof Resources> }

/** Roles with what they allow. One whose rights cannot be read allows nothing. */
async function rolesOf({ tables, decode }: Diyhi): Promise<Role[]> {
  const columns = ['id', 'defaultRole', 'userResourceFormat']
  const rows = await allRows(tables, { table: 'userrole', columns, keys: [{ column: 'id', kind: 'text' }] })
  return rows.map((row) => ({
    id: text(row, 'id', decode),
    isDefault: flag(row, 'defaultRole'),
    resources: Resources.safeParse(json(text(row, 'userResourceFormat', decode))).data ?? [],
  }))
}

/** Null for a text that is no JSON. */
export function json(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

type Rights = Pick<SourceTag, 'readers' | 'writers' | 'commenters'>
const everything: Rights = { readers: 'everybody', writers: 'members', commenters: 'members' }

/** Without roles everything is allowed; what the default role may view, visitors may too. Roles have rights in the lower tags alone. */
function rightsIn(roles: readonly Role[], row: Row): Rights {
  if (roles.length === 0 || integer(row, 'childNodeNumber') > 0) return everything
  const tagId = id(row, 'id')
  const holders = (code: number) => holdersOf(roles, code, ({ type, tagId: its }) => type === ofTag && its === tagId)
  const readers = holders(rights.view)
  return {
    readers: readers === 'members' ? 'everybody' : readers,
    writers: holders(rights.post),
    commenters: holders(rights.comment),
  }
}

function rightsToAsk(roles: readonly Role[]): Rights {
  if (roles.length === 0) return everything
  const holders = (code: number) => holdersOf(roles, code, ({ code: group }) => group === ofQuestions)
  return { readers: 'everybody', writers: holders(rights.ask), commenters: holders(rights.comment) }
}

type Resource = Role['resources'][number]

function holdersOf(roles: readonly Role[], code: number, isHere: (resource: Resource) => boolean): 'members' | string[] {
  const those = roles.filter(({ resources }) =>
    resources.some((one) => isHere(one) && one.userResourceList?.some((right) => right.code === code && right.selected === true)),
  )
  return those.some(({ isDefault }) => isDefault) ? 'members' : those.map((role) => role.id)
}
