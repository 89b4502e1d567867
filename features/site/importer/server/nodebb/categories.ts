import { mostTopicTags, type SourceTag } from '#importer/server/source.ts'
import { isOfEveryone, isOrdinary } from '#importer/server/nodebb/groups.ts'
import { categorySet, type Site } from '#importer/server/nodebb/site.ts'
import { allOf, flag, id, number, type Fields, type KeyStore } from '#importer/server/nodebb/store.ts'

type Category = { id: string; parentId: string | null; fields: Fields; order: number }

/** All categories of this server, each behind its parent. */
export async function categoriesIn({ store }: Site): Promise<SourceTag[]> {
  const categories = inTree(await stored(store))
  return Promise.all(
    categories.map(async ({ id: cid, parentId, fields }, order): Promise<SourceTag> => {
      const isClosed = flag(fields['disabled'])
      const [readers, writers] = isClosed ? [[], []] : await Promise.all([readersOf(store, cid), writersOf(store, cid)])
      return { id: cid, parentId, name: fields['name'] ?? cid, description: fields['description'] ?? '', order, readers, writers }
    }),
  )
}

/** The most used topic tags of what everybody reads: a name may tell of the rest. */
export async function topicTagsIn({ store }: Site, categories: readonly SourceTag[]): Promise<SourceTag[]> {
  const open = categories.filter(({ readers }) => readers === 'everybody')
  const counts = new Map<string, number>()
  for (const { id: cid } of open)
    for (const [name, count] of await allOf(store, `cid:${cid}:tags`)) counts.set(name, (counts.get(name) ?? 0) + number(count))
  const mostUsed = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostTopicTags)
  return mostUsed.map(([name], index): SourceTag => ({
    id: `tag/${name}`,
    parentId: null,
    isTopicTag: true,
    name,
    description: '',
    order: categories.length + index,
    readers: 'everybody',
    writers: 'members',
  }))
}

/** The ids of the categories, for what belongs to one. */
export async function categoryIds({ store }: Site): Promise<Set<string>> {
  return new Set((await stored(store)).map((category) => category.id))
}

// A category with a link leads elsewhere and has no topics of its own.
async function stored(store: KeyStore): Promise<Category[]> {
  const ids = (await allOf(store, categorySet)).flatMap(([cid]) => id(cid) ?? [])
  const objects = await store.objects(ids.map((cid) => `category:${cid}`))
  return ids.flatMap((cid, at): Category[] => {
    const fields = objects[at]
    if (!fields || (fields['link'] && number(fields['topic_count']) === 0)) return []
    return [{ id: cid, parentId: id(fields['parentCid']), fields, order: number(fields['order']) }]
  })
}

function inTree(categories: readonly Category[]): Category[] {
  const ids = new Set(categories.map((category) => category.id))
  const childrenOf = Map.groupBy(categories, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : null))
  const ordered: Category[] = []
  const add = (parentId: string | null) => {
    const children = childrenOf.get(parentId) ?? []
    childrenOf.delete(parentId)
    for (const child of children.toSorted((one, other) => one.order - other.order || Number(one.id) - Number(other.id))) {
      ordered.push({ ...child, parentId })
      add(child.id)
    }
  }
  add(null)
  // Categories that are each other's parents.
  for (const rest of [...childrenOf.values()].flat()) ordered.push({ ...rest, parentId: null })
  return ordered
}

/**
 * Who reads topics: the groups that find the category, open it, and read in it. Each of the three hides it alone, so a category with one of
 * them missing never becomes public.
 */
async function readersOf(store: KeyStore, cid: string): Promise<SourceTag['readers']> {
  const [find, open, read] = await Promise.all(['find', 'read', 'topics:read'].map((privilege) => groupsWith(store, cid, privilege)))
  const groups = [...(find ?? [])].filter((name) => open?.has(name) && read?.has(name))
  if (groups.includes('guests')) return 'everybody'
  return groups.some(isOfEveryone) ? 'members' : groups.filter(isOrdinary)
}

async function writersOf(store: KeyStore, cid: string): Promise<SourceTag['writers']> {
  const groups = [...(await groupsWith(store, cid, 'topics:create'))]
  return groups.some(isOfEveryone) ? 'members' : groups.filter(isOrdinary)
}

async function groupsWith(store: KeyStore, cid: string, privilege: string): Promise<Set<string>> {
  const [members, masked] = await Promise.all([
    allOf(store, `group:cid:${cid}:privileges:groups:${privilege}:members`),
    store.members(`cid:${cid}:privilegeMask`),
  ])
  return new Set(masked.includes(privilege) ? [] : members.map(([name]) => name))
}
