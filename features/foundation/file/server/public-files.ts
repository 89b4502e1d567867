import { entriesToDrop } from '#base/server/cache/invalidation.ts'
import type { Database } from '#base/server/database/database.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'

/** A use of a file in a present or earlier version of a topic, comment or reply, or in a hidden part of one. */
export type InThread = { fileId: string; topicId: string; commentId: string | null; replyId: string | null; partId: string | null }
/** A use in a private message. */
export type InMessage = { fileId: string; messageId: string }
export type FileUse = InThread | InMessage

export type FileRecord = {
  id: string
  kind: 'picture' | 'avatar' | 'attachment' | 'archive'
  ownerId: string | null
  name: string | null
  bytes: number
  isRendered: boolean
  places: readonly FileUse[]
}

/** Returns the file if visitors may see it. */
export type FindPublicFile = (fileId: string) => Promise<FileRecord | null>

const cacheBytes = 8_000_000
const maxPerQuery = 500

/**
 * A cache of the files that visitors may see, with batched queries, invalidated when their places or rights change. With a replica
 * it is as old as that, like the pages that show the files.
 */
export function cachePublicFiles(
  { invalidations }: Pick<Database, 'invalidations'>,
  ask: (fileIds: readonly string[]) => Promise<FileRecord[]>,
): FindPublicFile {
  const cache = new PageCache(cacheBytes)
  const one = batched(ask)
  invalidations.on((tags) => cache.drop(entriesToDrop(tags)))
  return async (fileId) => {
    const cached = cache.get(fileId) ?? (await cache.make(fileId, async () => cacheEntry(fileId, await one(fileId))))
    return cached.status === 200 ? JSON.parse(cached.text()) : null
  }
}

function cacheEntry(fileId: string, file: FileRecord | null) {
  const topics = file?.places.flatMap((place) => ('topicId' in place ? `topic:${place.topicId}` : [])) ?? []
  const tags = ['role', 'tags', `file:${fileId}`, ...new Set(topics)]
  return { status: file ? 200 : 404, type: 'application/json', body: JSON.stringify(file), tags }
}

/** Batches lookups: those that arrive during a query wait for the next one. */
function batched(ask: (fileIds: readonly string[]) => Promise<FileRecord[]>): (fileId: string) => Promise<FileRecord | null> {
  type Waiting = { fileId: string; give: (file: FileRecord | null) => void; fail: (error: unknown) => void }
  const waiting: Waiting[] = []
  let isAsking = false

  async function answerAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, maxPerQuery)
      try {
        const files = new Map((await ask(some.map(({ fileId }) => fileId))).map((file) => [file.id, file]))
        for (const { fileId, give } of some) give(files.get(fileId) ?? null)
      } catch (error) {
        for (const { fail } of some) fail(error)
      }
    }
    isAsking = false
  }

  return (fileId) =>
    new Promise((give, fail) => {
      waiting.push({ fileId, give, fail })
      // Collects the lookups of the same tick.
      if (!isAsking) {
        isAsking = true
        setImmediate(() => void answerAll())
      }
    })
}
