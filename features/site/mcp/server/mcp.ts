import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import * as assistant from '#assistant/server/assistant.ts'
import { floorToReadFrom, searchQuery, threadId } from '#assistant/tool-contract.ts'
import { Refusal, type Endpoint, type Output, type RawInput } from '#base/contract.ts'
import type { CounterFactory } from '#base/server/cache/counters.ts'
import { faultCode } from '#base/server/http/refuse.ts'
import type { Database } from '#base/server/database/database.ts'
import { networkLimit } from '#base/server/http/admission.ts'
import type { InProcessCalls } from '#base/server/http/call-in-process.ts'
import { maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { parseJson } from '#base/server/http/parse-json.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'
import type { Body } from '#base/server/http/request.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { languageOf, say, type Language } from '#base/server/words.ts'
import { saveDraft } from '#draft/contract.ts'
import { bearerOf, type Bearer } from '#mcp/server/tokens.ts'
import { search } from '#search/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import { listTags } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { thread } from '#topic/contract.ts'

type McpOptions = { database: Database; calls: InProcessCalls; publicUrl: string | null; counterFor?: CounterFactory | undefined }

const limits = [
  { times: 60, seconds: 60, by: 'member' },
  { times: 2_000, seconds: 86_400, by: 'member' },
] as const

const wrongLimits = [{ times: 30, seconds: 60, by: 'ip' }] as const

/**
 * Serves programs by the Model Context Protocol over streamable HTTP, without sessions: any server can handle any request. A program reads
 * with the current access of the token's member, and writes drafts, which publish nothing. Each tool passes the checks of the call that it
 * stands for.
 */
export function serveMcp(app: FastifyInstance, { database, calls, publicUrl, counterFor }: McpOptions): void {
  const limit = rateLimiter('mcp', limits, counterFor)
  const limitNetwork = networkLimit('calls of mcp', 'POST')
  const limitWrong = rateLimiter('wrong tokens of mcp', wrongLimits, counterFor)
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const ip = normalizeIp(request.ip)
      await limitNetwork(ip)
      const { allowMcp } = await setting.all(database.app)
      if (!allowMcp) return reply.code(404).send({ message: say(languageIn(request), 'mcp.noMcp') })
      await setting.assertSiteOpen(database.app, { availableWhile: 'readOnly' }, languageIn(request))
      const client = clientOf(request, ip, publicUrl)
      // A page of another site must not act for its reader.
      if (![undefined, client.origin].includes(request.headers.origin))
        return reply.code(403).send({ message: 'That origin is not this site' })
      // There are no sessions to stream or to end.
      if (request.method !== 'POST') return reply.code(405).header('allow', 'POST').send({ message: 'Only POST is answered' })
      const bearer = await bearerOf(database.app, request.headers.authorization)
      if (!bearer) await limitWrong(ip, { id: null })
      if (!bearer) return reply.code(401).header('www-authenticate', 'Bearer realm="Teahouse"').send({ message: 'A token is needed' })
      const parsedBody = bodyIn(request)
      if (isToolCall(parsedBody)) await limit(ip, bearer.member)
      // The protocol has dropped batches, and one would count as a single request.
      if (Array.isArray(parsedBody)) return reply.code(400).send({ message: 'Send one message at a time' })
      const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js')
      const server = await serverFor(database, bearer, doorFor(calls, bearer, client), request)
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      try {
        const answer = await transport.handleRequest(webRequest(request), { parsedBody })
        const type = answer.headers.get('content-type') ?? 'application/json'
        return await reply
          .code(answer.status)
          .type(type)
          .send(await answer.text())
      } finally {
        await server.close()
      }
    },
  })
}

const readOnlyTool = { readOnlyHint: true, openWorldHint: false } as const

async function serverFor(database: Database, { member, scopes }: Bearer, door: Door, request: FastifyRequest): Promise<McpServer> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const server = new McpServer({ name: 'teahouse', version: '1' })
  const db = database.reader
  const answered = (make: () => Promise<string>) => resultOf(make, (error) => request.log.error(error))
  const readAs = (endpoint: Endpoint, make: () => Promise<string>) =>
    answered(async () => {
      await door.admit(endpoint)
      return absoluteUrls(door.origin, await make())
    })
  if (scopes.includes('read')) {
    server.registerTool(
      'search',
      {
        description: 'Searches topics, questions, comments and answers. Gives titles, excerpts and addresses.',
        inputSchema: { query: searchQuery },
        annotations: readOnlyTool,
      },
      ({ query }) => readAs(search, async () => JSON.stringify(await assistant.searchForum(db, member, query))),
    )
    server.registerTool(
      'read_thread',
      {
        description:
          'Reads a topic or a question with its comments or answers from a floor on, in Markdown with the address of each floor.',
        inputSchema: { topicId: threadId(door.origin), fromFloor: floorToReadFrom },
        annotations: readOnlyTool,
      },
      ({ topicId: id, fromFloor }) => readAs(thread, async () => (await assistant.readThread(db, member, { topicId: id, fromFloor })).text),
    )
    server.registerTool('list_tags', { description: 'The tags that can be read, with their ids.', annotations: readOnlyTool }, () =>
      readAs(listTags, async () => JSON.stringify(await tagsFor(database, member))),
    )
  }
  if (scopes.includes('draft')) registerDrafts(server, door, (input) => answered(() => keepDraft(database, member, door, input)))
  return server
}

type DraftParams = { kind: 'topic' | 'question' | 'comment'; topicId?: string | undefined; title?: string | undefined; markdown: string }

function registerDrafts(server: McpServer, { origin }: Door, save: (input: DraftParams) => ReturnType<typeof resultOf>): void {
  server.registerTool(
    'save_draft',
    {
      description: 'Keeps a draft for the member, who reads, changes and publishes it by hand. A draft that is there is not overwritten.',
      inputSchema: {
        kind: z.enum(['topic', 'question', 'comment']),
        topicId: threadId(origin).optional().describe('The thread of a comment'),
        title: z.string().max(200).optional(),
        markdown: z.string().min(1).max(maxMarkdownLength),
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    save,
  )
}

async function keepDraft(database: Database, member: Bearer['member'], door: Door, input: DraftParams): Promise<string> {
  const { kind, topicId: thread, title, markdown } = input
  if (kind === 'comment' && thread === undefined) throw new ToolRefused('A comment needs the topicId of its thread.')
  if (kind === 'comment' && thread !== undefined) await posts.findThread(database.reader, member, thread)
  // Members see the checked box, and uncheck it where the program only passed on their own text.
  const { aiLabels } = await setting.all(database.app)
  const fields: Record<string, string> = { ...(title !== undefined && { title }), ...(aiLabels !== 'off' && { aiGenerated: 'on' }) }
  const content = { text: { view: 'markdown' as const, text: markdown }, fields }
  const place = kind === 'comment' ? `comment ${thread}` : kind
  const { version } = await door.call(saveDraft, { place, content, writer: randomUUID() })
  return version === null ? 'There is a draft already. Nothing was overwritten.' : 'The draft is kept.'
}

async function tagsFor(database: Database, member: Bearer['member']) {
  const places = [...(await tag.places(database.reader)).values()]
  return places.filter(({ id }) => member.may('tag.view', id)).map(({ id, name, parent }) => ({ id, name, parentId: parent?.id ?? null }))
}

/** A refusal in words for programs. */
class ToolRefused extends Error {
  override name = 'ToolRefused'
}

/** The result of a tool. A refusal becomes an error result; so does a bug, whose details go to the log only. */
async function resultOf(make: () => Promise<string>, note: (fault: unknown) => void) {
  try {
    return { content: [{ type: 'text' as const, text: await make() }] }
  } catch (error) {
    if (error instanceof Refusal) return failed(say('en', error.kind.code, error.values))
    if (error instanceof ToolRefused) return failed(error.message)
    note(error)
    return failed(say('en', faultCode(error)))
  }
}

function failed(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}

// Programs need absolute URLs.
function absoluteUrls(origin: string, text: string): string {
  return text.replaceAll(/(Address: |"address":")(\/)/g, `$1${origin}$2`)
}

type Door = {
  origin: string
  admit(endpoint: Endpoint): Promise<void>
  call<E extends Endpoint>(endpoint: E, input: RawInput<E>): Promise<Output<E>>
}

/** The calls of the API, as made by the member of a token. */
function doorFor(calls: InProcessCalls, { member: viewer }: Bearer, client: ClientInfo): Door {
  return {
    origin: client.origin,
    admit: (endpoint) => calls.admit(endpoint, { viewer, client }),
    call: (endpoint, input) => calls.call(endpoint, input, { viewer, client }),
  }
}

function clientOf(request: FastifyRequest, ip: string, publicUrl: string | null): ClientInfo {
  const origin = publicUrl ? new URL(publicUrl).origin : `${request.protocol}://${request.headers.host ?? 'localhost'}`
  const userAgent = `MCP: ${(request.headers['user-agent'] ?? '').slice(0, 100)}`
  return { origin, ip, isLocal: false, userAgent, language: languageIn(request), authorization: undefined, csrf: '' }
}

function languageIn({ headers }: FastifyRequest): Language {
  return languageOf(headers['accept-language'])
}

const bodyLimits = { maxNames: 100, maxNodes: 2_000 }

function bodyIn({ body }: FastifyRequest): unknown {
  const { as, bytes } = (body ?? { as: 'none', bytes: null }) as Extract<Body, { bytes: Buffer }>
  return as === 'json' ? parseJson(bytes.toString(), bodyLimits) : undefined
}

function isToolCall(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call'
}

// The answer is JSON, whatever is accepted.
function webRequest({ method, headers, raw }: FastifyRequest): Request {
  const accepting = { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const sent = Object.entries(accepting).flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []))
  return new Request(new URL(raw.url ?? '/', 'http://teahouse.invalid'), { method, headers: sent })
}
