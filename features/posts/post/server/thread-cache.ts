import { Missing } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { loadThread, requireVisible, type Thread } from '#post/server/thread.ts'

const cacheOf = rowCache<Thread>({ most: 10_000, freshMs: 60_000 })

/** As `findThread`, from the cache of this process, for responses that are cached themselves until the topic is invalidated. */
export async function cachedThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  const thread = requireVisible(viewer, cacheOf(db).get(topicId) ?? (await cacheThread(db, topicId)))
  if (thread.status !== 'published') throw Missing()
  return thread
}

function cacheThread(db: Db, topicId: string): Promise<Thread | undefined> {
  return cacheOf(db).load(
    () => loadThread(primary(db), topicId),
    (thread) => (thread ? [[thread.id, thread, [`topic:${thread.id}`, 'tags']]] : []),
  )
}
