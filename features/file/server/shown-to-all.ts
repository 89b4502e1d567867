import type { Database } from '#base/server/database/database.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'

/** A place that shows a file, or did in an earlier version: a topic, or a comment or a reply under it; or what is hidden in one of them. */
export type InThread = { fileId: string; topicId: string; commentId: string | null; replyId: string | null; partId: string | null }
/** What one member wrote to another. */
export type InMessage = { fileId: string; messageId: string }
export type FileUse = InThread | InMessage

export type Known = {
  id: string
  kind: 'picture' | 'avatar' | 'attachment' | 'archive'
  ownerId: string | null
  name: string | null
  bytes: number
  isRendered: boolean
  places: readonly FileUse[]
}

/** The file, if visitors may see it. */
export type ShownToAll = (fileId: string) => Promise<Known | null>

const room = 8_000_000
const mostAtOnce = 500

/**
 * Which files visitors may see: asked for all at once that are wanted at the same time, and kept until a place that shows them, or who may
 * see it, changes. As old as the replica is, where there is one, like the pages that show them.
 */
export function keptForAll(
  { invalidations }: Pick<Database, 'invalidations'>,
  ask: (fileIds: readonly string[]) => Promise<Known[]>,
): ShownToAll {
  const cache = new PageCache(room)
  const one = together(ask)
  invalidations.on((tags) => cache.drop(tags === '*' || tags.includes('everything') ? '*' : tags))
  return async (fileId) => {
    const kept = cache.get(fileId) ?? (await cache.make(fileId, async () => madeOf(fileId, await one(fileId))))
    return kept.status === 200 ? JSON.parse(kept.body.toString()) : null
  }
}

function madeOf(fileId: string, file: Known | null) {
  const topics = file?.places.flatMap((place) => ('topicId' in place ? `topic:${place.topicId}` : [])) ?? []
  const tags = ['role', 'tags', `file:${fileId}`, ...new Set(topics)]
  return { status: file ? 200 : 404, type: 'application/json', body: JSON.stringify(file), tags }
}

/** Asks for each of many in one question: those who come while one is asked wait for the next. */
function together(ask: (fileIds: readonly string[]) => Promise<Known[]>): (fileId: string) => Promise<Known | null> {
  type Waiting = { fileId: string; give: (file: Known | null) => void; fail: (error: unknown) => void }
  const waiting: Waiting[] = []
  let isAsking = false

  async function answerAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, mostAtOnce)
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
      // What comes in the same moment goes along.
      if (!isAsking) {
        isAsking = true
        setImmediate(() => void answerAll())
      }
    })
}
