import type { ForumCheck } from '#importer/contract.ts'
import type { SourceGroup, SourceTag } from '#importer/server/source.ts'
import { becomesRole, topOf } from '#importer/server/write/tags.ts'

type Readers = Pick<ForumCheck, 'readers' | 'roles'>

/** Who will read each forum. One below a forum at the top is for those who read both. */
export function forumsOf(tags: readonly SourceTag[], groups: readonly SourceGroup[]): ForumCheck[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]))
  const roles = new Map(groups.flatMap((group) => (becomesRole(group) ? [[group.id, group.name] as const] : [])))
  return tags
    .filter(({ isTopicTag }) => isTopicTag !== true)
    .toSorted((one, other) => one.order - other.order)
    .map((tag) => ({ id: tag.id, name: tag.name, ...narrower(readersOf(tag, roles), readersOf(topOf(tag, byId), roles)) }))
}

function readersOf({ readers }: SourceTag, roles: ReadonlyMap<string, string>): Readers {
  if (typeof readers === 'string') return { readers, roles: [] }
  const named = readers.flatMap((id) => roles.get(id) ?? [])
  return { readers: named.length > 0 ? 'roles' : 'nobody', roles: named }
}

const width = { everybody: 3, members: 2, roles: 1, nobody: 0 }

function narrower(its: Readers, above: Readers): Readers {
  if (its.readers !== 'roles' || above.readers !== 'roles') return width[its.readers] <= width[above.readers] ? its : above
  const both = its.roles.filter((name) => above.roles.includes(name))
  return { readers: both.length > 0 ? 'roles' : 'nobody', roles: both }
}
