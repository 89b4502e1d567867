import { z } from 'zod'
import type { Db } from '#base/server/database/database.ts'
import {
  findInTurn,
  heaviestOf,
  maxListed,
  type Engine,
  type EngineResults,
  type Entry,
  type Key,
  type EngineQuery,
} from '#search/server/engine.ts'
import { documentOf } from '#search/server/opensearch/index.ts'
import { countBody, searchBody } from '#search/server/opensearch/query.ts'
import { searchServerAt } from '#search/server/opensearch/server.ts'
import { unindexedChanges } from '#search/server/unindexed-changes.ts'

const total = z.object({ value: z.number() })
const Found = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _score: z.number().nullable(),
        _source: z.object({ topicId: z.string(), publishedAt: z.number() }),
        matched_queries: z.array(z.string()).optional(),
      }),
    ),
  }),
})
const Counted = z.object({
  hits: z.object({ total }),
  aggregations: z.object({ tokens: z.object({ buckets: z.record(z.string(), z.object({ doc_count: z.number() })) }) }).optional(),
})
const Written = z.object({ errors: z.boolean() })
const Removed = z.object({ failures: z.array(z.unknown()) })

const writingMs = 60_000

/** The engine for a server with the API of OpenSearch. */
export function openSearchEngine(address: string): Engine {
  const server = searchServerAt(address)

  async function remove(query: object): Promise<void> {
    const { failures } = await server.request(
      '/_delete_by_query?refresh=true&conflicts=proceed',
      JSON.stringify({ query }),
      Removed,
      writingMs,
    )
    if (failures.length > 0) throw new Error(`The search server could not remove all: ${JSON.stringify(failures[0]).slice(0, 500)}`)
  }

  async function find(db: Db, question: EngineQuery): Promise<EngineResults> {
    const body = searchBody(question, await unindexedChanges(db))
    const { hits } = await server.request('/_search', JSON.stringify(body), Found)
    return {
      hits: hits.hits.slice(0, maxListed).map(({ _id, _score, _source, matched_queries }) => ({
        key: _id as Key,
        topicId: _source.topicId,
        publishedAt: new Date(_source.publishedAt),
        score: _score ?? 0,
        part: question.manner === 'some' ? partOf(question, matched_queries ?? []) : 1,
      })),
      isMore: hits.hits.length > maxListed,
    }
  }

  return {
    name: 'opensearch',
    find,
    findWithFallbacks: (db, query, fallbacks) => findInTurn(find, db, query, fallbacks),
    async shares(_, tokens) {
      const { hits, aggregations } = await server.request('/_search', JSON.stringify(countBody(tokens)), Counted)
      const entries = hits.total.value
      const counts = Object.entries(aggregations?.tokens.buckets ?? {}).filter(([, { doc_count }]) => doc_count > 0)
      return { entries, of: new Map(counts.map(([token, { doc_count }]) => [token, doc_count / entries])) }
    },
    async write(_, entries, removed) {
      const lines = [...entries.flatMap(linesOf), ...removed.map((key) => ({ delete: { _id: key } }))]
      if (lines.length === 0) return
      const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const { errors } = await server.request('/_bulk?refresh=true', body, Written, writingMs)
      if (errors) throw new Error('The search server did not take all entries')
    },
    removeTopics: (_, topicIds) => remove({ terms: { topicId: topicIds } }),
    sweep: (_, since) => remove({ range: { writtenAt: { lt: since.getTime() } } }),
    recount: () => Promise.resolve(),
  }
}

function partOf({ clauses }: EngineQuery, matched: readonly string[]): number {
  const weights = heaviestOf(clauses).map(({ weight }) => weight)
  const sum = (some: readonly number[]) => some.reduce((total, weight) => total + weight, 0)
  return sum(weights.filter((_, index) => matched.includes(String(index)))) / sum(weights)
}

function linesOf(entry: Entry): object[] {
  return [{ index: { _id: entry.key } }, documentOf(entry, new Date())]
}
