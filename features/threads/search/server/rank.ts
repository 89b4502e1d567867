import { anyOf, type Db } from '#base/server/database/database.ts'
import { sourceOf, type Hit } from '#search/server/engine.ts'

const dayMs = 86_400_000
const halfLifeDays = 365
const maxComments = 100
// Hits further back are not boosted by their comments.
const boostedHits = 100

// Relevance decides; the bonuses only separate similar scores.
const freshBonus = 0.12
const commentBonus = 0.08
const kindWeights = { topic: 1.25, comment: 1, reply: 0.95 } as const

/** Reorders hits with a boost for topics, recent posts and discussed ones. */
export async function rank(db: Db, hits: readonly Hit[], now: Date): Promise<Hit[]> {
  const talk = await commentCounts(db, hits.slice(0, boostedHits))
  const scored = hits.map((hit) => {
    const { kind, id } = sourceOf(hit.key)
    const age = Math.max(0, now.getTime() - hit.publishedAt.getTime()) / dayMs
    const fresh = 2 ** (-age / halfLifeDays)
    const talked = kind === 'topic' ? Math.min(1, Math.log1p(talk.get(id) ?? 0) / Math.log1p(maxComments)) : 0
    return { ...hit, score: hit.score * kindWeights[kind] * (1 + freshBonus * fresh + commentBonus * talked) }
  })
  return scored.sort((one, other) => other.score - one.score)
}

/** Orders hits by number of replies. */
export async function byReplies(db: Db, hits: readonly Hit[]): Promise<Hit[]> {
  const [inTopics, underComments] = await Promise.all([commentCounts(db, hits), repliesTo(db, hits)])
  const talkOf = ({ key }: Hit) => {
    const { kind, id } = sourceOf(key)
    return (kind === 'topic' ? inTopics.get(id) : kind === 'comment' ? underComments.get(id) : 0) ?? 0
  }
  return hits.toSorted((one, other) => talkOf(other) - talkOf(one) || other.publishedAt.getTime() - one.publishedAt.getTime())
}

async function commentCounts(db: Db, hits: readonly Hit[]): Promise<Map<string, number>> {
  const counts = new Map(hits.flatMap(({ topicId, commentCount: count }) => (typeof count === 'number' ? [[topicId, count]] : [])))
  const ids = idsOf(hits, 'topic').filter((id) => !counts.has(id))
  if (ids.length === 0) return counts
  const rows = await db.selectFrom('topic').select(['id', 'comment_count']).where('id', '=', anyOf(ids)).execute()
  return new Map([...counts, ...rows.map((row) => [row.id, row.comment_count] as const)])
}

async function repliesTo(db: Db, hits: readonly Hit[]): Promise<Map<string, number>> {
  const ids = idsOf(hits, 'comment')
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('comment').select(['id', 'reply_count']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map((row) => [row.id, row.reply_count]))
}

function idsOf(hits: readonly Hit[], kind: 'topic' | 'comment'): string[] {
  return hits.flatMap(({ key }) => {
    const source = sourceOf(key)
    return source.kind === kind ? [source.id] : []
  })
}
