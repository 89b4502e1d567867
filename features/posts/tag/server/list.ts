import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import type { listTags, myTags } from '#tag/contract.ts'

type Tree = Output<typeof listTags>['tags']

/** The tree as this viewer may see it. A parent without visible subtags is left out. */
export async function list(db: Db, viewer: Viewer): Promise<Tree> {
  const [rows, roles] = await Promise.all([allTags(db), viewerRoles(db)])
  const parents = new Set(rows.map((row) => row.parent_id))
  const seen = rows.filter((row) => !parents.has(row.id) && viewer.may('tag.view', row.id))
  const views = seen.map((row) => ({ parentId: row.parent_id, view: view(row, rows, roles) }))

  return rows
    .filter((row) => row.parent_id === null)
    .flatMap((row) => {
      const children = views.filter(({ parentId }) => parentId === row.id).map((child) => child.view)
      if (children.length === 0) return views.filter((one) => one.view.id === row.id).map((one) => ({ ...one.view, children }))
      const topicCount = children.reduce((total, child) => total + child.topicCount, 0)
      return [{ ...view(row, rows, row.is_restricted ? roles : []), topicCount, children }]
    })
}

/** The leaf tags in which this member may open threads, by kind of thread. */
export async function idsToPublishIn(db: Db, member: Member): Promise<Output<typeof myTags>> {
  const rows = await allTags(db)
  const parents = new Set(rows.map((row) => row.parent_id))
  const leaves = rows.map(({ id }) => id).filter((id) => !parents.has(id) && member.may('tag.view', id))
  return { publishIn: leaves.filter((id) => member.may('topic.publish', id)), askIn: leaves.filter((id) => member.may('question.ask', id)) }
}

function allTags(db: Db) {
  return db
    .selectFrom('tag')
    .select(['id', 'parent_id', 'key', 'name_zh', 'name_en', 'description_zh', 'description_en', 'picture', 'is_restricted', 'topic_count'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

function viewerRoles(db: Db) {
  return db
    .selectFrom('role_right')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['tag_id', 'role_id', 'is_default', 'name_zh', 'name_en'])
    .where('right_name', '=', 'tag.view')
    .orderBy('role.sort')
    .orderBy('role.id')
    .execute()
}

type Tag = Awaited<ReturnType<typeof allTags>>[number]
type ViewerRole = Awaited<ReturnType<typeof viewerRoles>>[number]

function view(row: Tag, tags: readonly Tag[], roles: readonly ViewerRole[]) {
  const above = tags.find(({ id, is_restricted }) => id === row.parent_id && is_restricted)
  const its = above ? rolesThatSee(above, roles).filter((one) => !row.is_restricted || sees(one, row, roles)) : rolesThatSee(row, roles)
  return {
    id: row.id,
    key: row.key,
    name: { zh: row.name_zh, en: row.name_en },
    description: { zh: row.description_zh, en: row.description_en },
    picture: row.picture && file.srcOf(row.picture),
    topicCount: row.topic_count,
    isRestricted: row.is_restricted || above !== undefined,
    viewers: its.some((role) => role.is_default) ? [] : its.map((role) => ({ zh: role.name_zh, en: role.name_en })),
  }
}

function rolesThatSee(tag: Tag, roles: readonly ViewerRole[]): ViewerRole[] {
  return roles.filter(({ tag_id }) => tag_id === tag.id || (tag_id === null && !tag.is_restricted))
}

function sees({ role_id }: ViewerRole, tag: Tag, roles: readonly ViewerRole[]): boolean {
  return rolesThatSee(tag, roles).some((one) => one.role_id === role_id)
}
