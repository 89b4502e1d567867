import type { Range, SourceComment } from '#importer/server/source.ts'
import { isIn } from '#importer/server/nodebb/mark.ts'
import { pollIdOf } from '#importer/server/nodebb/polls.ts'
import { postsOf, storedPosts } from '#importer/server/nodebb/posts.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import type { Fields, KeyStore } from '#importer/server/nodebb/store.ts'
import type { Entry } from '#importer/server/nodebb/walk.ts'

export function postsKey(tid: string): string {
  return `tid:${tid}:posts`
}

/**
 * The comments among entries of `tid:N:posts`, which lacks the main post: that has number 1, and the first entry 2. A post that is only
 * deleted keeps its number, one that is purged leaves none free.
 */
export async function commentsFrom(
  site: Site,
  categories: ReadonlySet<string>,
  range: Range,
  entries: readonly Entry[],
): Promise<SourceComment[]> {
  const within = isIn(range)
  const coming = entries.filter(({ member, score }) => within([member, score]))
  const topics = await topicsOf(site.store, coming)
  const wanted = coming.filter(({ owner: [tid], member }) => {
    const topic = topics.get(tid)
    return topic && categories.has(topic['cid'] ?? '') && topic['mainPid'] !== member
  })
  const stored = await storedPosts(
    site.store,
    wanted.map(({ member }) => member),
  )
  const posts = await postsOf(
    site,
    wanted.flatMap(({ member, score: placedAt }) => {
      const post = stored.get(member)
      return post ? [{ ...post, placedAt }] : []
    }),
  )
  return wanted.flatMap(({ owner: [threadId], member, rank }): SourceComment[] => {
    const post = posts.get(member)
    if (!post) return []
    const fields = stored.get(member)?.fields ?? {}
    const notes = pollIdOf(fields) === null ? post.body.notes : [...post.body.notes, 'poll in a comment']
    return [{ ...post, body: { ...post.body, notes }, threadId, number: rank + 2, answersId: answeredBy(fields), belowId: null }]
  })
}

async function topicsOf(store: KeyStore, entries: readonly Entry[]): Promise<Map<string, Fields | null>> {
  const tids = [...new Set(entries.map(({ owner: [tid] }) => tid))]
  const objects = await store.objects(tids.map((tid) => `topic:${tid}`))
  return new Map(tids.map((tid, at) => [tid, objects[at] ?? null]))
}

function answeredBy({ toPid }: Fields): string | null {
  return toPid && toPid !== '0' ? toPid : null
}
