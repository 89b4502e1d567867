import { Missing } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { loadThread, requireVisible, type Thread } from '#post/server/thread.ts'

const cacheOf = rowCache<Thread>({ most: 10_000, freshMs: 60_000 })

/** As `findThread`, from the cache of this process, for responses that are cached themselves until the topic is invalidated. */
export async function cachedThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  const threads = await cacheOf(db).getOrLoad([topicId], {
    load: () => rowsOf(primary(db), topicId),
    tagsOf: ({ id }) => [`topic:${id}`, 'tags'],
  })
  const thread = requireVisible(viewer, threads.get(topicId))
  if (thread.status !== 'published') throw Missing()
  return thread
}

async function rowsOf(db: Db, topicId: string): Promise<Map<string, Thread>> {
  const thread = await loadThread(db, topicId)
  return new Map(thread && [[topicId, thread]])
}
