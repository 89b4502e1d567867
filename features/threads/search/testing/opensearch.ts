import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { aggregated, found, type Doc } from '#search/testing/opensearch-dsl.ts'

/** A fake search server: the requests it received, and the faults to inject. */
export type StandIn = {
  url: string
  asked: string[]
  /** The response to every request while set. */
  fault: { status: number; body: string } | 'no answer' | null
  close(): Promise<void>
}

type Mapping = Record<string, { type: string; analyzer?: string }>
type Index = {
  mapping: Mapping
  /** The searchable documents; writes become searchable with the next refresh. */
  shown: Map<string, Doc>
  written: Map<string, Doc>
}

/**
 * A fake of the part of OpenSearch's API that the application uses. It rejects unknown fields and queries as the real one does, and
 * writes become visible with a refresh.
 */
export async function aSearchServer(): Promise<StandIn> {
  const indices = new Map<string, Index>()
  const app = fastify({ forceCloseConnections: true, bodyLimit: 100_000_000 })
  const standIn: StandIn = { url: '', asked: [], fault: null, close: () => app.close() }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/x-ndjson'], { parseAs: 'string' }, async (_: unknown, text: string | Buffer) =>
    String(text),
  )
  app.addHook('onRequest', async (request, reply) => {
    standIn.asked.push(`${request.method} ${request.url}`)
    if (standIn.fault === 'no answer') return void request.raw.socket.destroy()
    if (standIn.fault) return reply.code(standIn.fault.status).send(standIn.fault.body)
  })
  const withIndex =
    (work: (index: Index, request: FastifyRequest, reply: FastifyReply) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { index: name } = request.params as { index: string }
      const index = indices.get(name)
      return index ? work(index, request, reply) : refuse(reply, 404, 'index_not_found_exception', `no such index [${name}]`)
    }
  app.head(
    '/:index',
    withIndex((_, __, reply) => reply.send()),
  )
  app.put('/:index', async (request, reply) => {
    const { index: name } = request.params as { index: string }
    if (indices.has(name)) return refuse(reply, 400, 'resource_already_exists_exception', `index [${name}] already exists`)
    const { mappings } = bodyOf(request) as { mappings: { properties: Mapping } }
    indices.set(name, { mapping: mappings.properties, shown: new Map(), written: new Map() })
    return { acknowledged: true, shards_acknowledged: true, index: name }
  })
  app.post('/:index/_bulk', withIndex(bulk))
  app.post('/:index/_search', withIndex(search))
  app.post('/:index/_delete_by_query', withIndex(deleteByQuery))
  app.post(
    '/:index/_refresh',
    withIndex((index) => refresh(index)),
  )
  standIn.url = await app.listen({ host: '127.0.0.1', port: 0 })
  return standIn
}

function bodyOf(request: FastifyRequest): unknown {
  return JSON.parse(request.body as string)
}

function refuse(reply: FastifyReply, status: number, type: string, reason: string) {
  const error = { type, reason }
  return reply.code(status).send({ error: { root_cause: [error], ...error }, status })
}

function refresh(index: Index): object {
  index.shown = new Map(index.written)
  return { _shards: { total: 1, successful: 1, failed: 0 } }
}

function bulk(index: Index, request: FastifyRequest, reply: FastifyReply) {
  const text = request.body as string
  if (request.headers['content-type'] !== 'application/x-ndjson')
    return refuse(reply, 406, 'media_type_header_exception', 'Content-Type header is not supported')
  if (!text.endsWith('\n'))
    return refuse(reply, 400, 'illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]')
  const lines = text.split('\n').filter(Boolean)
  const items: object[] = []
  for (let at = 0; at < lines.length; at++) {
    const action = JSON.parse(lines[at] ?? '') as { index?: { _id: string }; delete?: { _id: string } }
    if (action.delete) items.push(remove(index, action.delete))
    else if (action.index) items.push(enter(index, action.index, JSON.parse(lines[++at] ?? '') as Doc))
  }
  if (queryOf(request)['refresh'] === 'true') refresh(index)
  return { took: 1, errors: items.some((item) => JSON.stringify(item).includes('"error"')), items }
}

function remove({ written }: Index, { _id: id }: { _id: string }): object {
  const was = written.delete(id)
  return { delete: { _id: id, result: was ? 'deleted' : 'not_found', status: was ? 200 : 404 } }
}

function enter({ mapping, written }: Index, { _id: id }: { _id: string }, doc: Doc): object {
  const strange = Object.keys(doc).find((field) => !mapping[field])
  const reason = `mapping set to strict, dynamic introduction of [${strange}] is not allowed`
  if (strange) return { index: { _id: id, status: 400, error: { type: 'strict_dynamic_mapping_exception', reason } } }
  written.set(id, doc)
  return { index: { _id: id, result: 'created', status: 201 } }
}

function search(index: Index, request: FastifyRequest, reply: FastifyReply) {
  const body = bodyOf(request) as Parameters<typeof found>[1] & {
    aggs?: Parameters<typeof aggregated>[2]
    track_total_hits?: boolean | number
  }
  try {
    const { hits, total } = found(index, body)
    return {
      took: 1,
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: { ...(body.track_total_hits !== false && { total: { value: total, relation: 'eq' } }), max_score: null, hits },
      ...(body.aggs && { aggregations: aggregated(index, body.query, body.aggs) }),
    }
  } catch (error) {
    return refuse(reply, 400, 'parsing_exception', String(error))
  }
}

function deleteByQuery(index: Index, request: FastifyRequest, reply: FastifyReply) {
  const { query } = bodyOf(request) as { query: Parameters<typeof found>[1]['query'] }
  try {
    const { hits } = found(index, { query, size: Infinity })
    for (const { _id: id } of hits) index.written.delete(id)
    if (queryOf(request)['refresh'] === 'true') refresh(index)
    return { took: 1, timed_out: false, total: hits.length, deleted: hits.length, version_conflicts: 0, failures: [] }
  } catch (error) {
    return refuse(reply, 400, 'parsing_exception', String(error))
  }
}

function queryOf(request: FastifyRequest): Record<string, string> {
  return request.query as Record<string, string>
}
