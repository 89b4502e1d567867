import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '#apps/server/features.ts'
import { Refusal, type Endpoint } from '#base/contract.ts'
import { parseInput, queryBody } from '#base/server/http/request.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { addComment } from '#comment/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const numbers = [
  '0',
  '-1',
  '1',
  '1.5',
  '400',
  '401',
  '2147483648',
  '999999999999',
  '999999999999999',
  '99999999999999999',
  '9223372036854775808',
]
const days = ['0000-01-01', '0001-01-01', '1000-01-01', '9999-12-31', '2026-02-30', '+275760-09-13']
const times = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '2026-01-01T24:00:00Z',
  '1970-01-01T00:00Z',
]
const networks = ['::', '::1', 'fe80::1%eth0', '::ffff:1.2.3.4', '0.0.0.0', '1.2.3.4/33', '255.255.255.255/0', '2001:db8::/129']
const texts = [
  '',
  ' ',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ':*',
  '<->',
  '(',
  '&|!',
  '\u{1F375}',
  '\u200B',
  '\uFFFD',
  'a'.repeat(200),
  '中'.repeat(2_000),
]
const shapes = ['[]', '{}', 'null', 'true', '[[]]', '[1]', '["1"]', '["9223372036854775807"]', '{"a":1}']
const absurd = [...numbers, ...days, ...times, ...networks, ...texts, ...shapes]

let forum: Forum
let member: Visitor
let staff: Visitor

beforeAll(async () => {
  forum = await aForum()
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database, { name: 'tea' }))
  await mei.call(addComment, { topicId, body: says('one') })
  member = mei
  staff = await aStaffer(forum)
})

type Shape = { enum?: string[]; const?: string; type?: string; anyOf?: Shape[] }

/** The fields of a read, each with a plausible value. */
function fieldsOf({ input }: Endpoint): Map<string, { usual: string; isNeeded: boolean }> {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const needed = new Set(schema.required ?? [])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Shape>)
  return new Map(properties.map(([name, shape]) => [name, { usual: usualOf(shape), isNeeded: needed.has(name) }]))
}

const usualOf = ({ enum: [first] = [], const: only, type }: Shape) => only ?? first ?? (type === 'array' ? '["1"]' : '1')

// The contract alone refuses most of them, so those are not sent.
function isRefusedByForm(endpoint: Endpoint, query: URLSearchParams): boolean {
  try {
    parseInput(endpoint, queryBody(query.toString()))
    return false
  } catch (error) {
    return error instanceof z.ZodError || error instanceof Refusal
  }
}

const reads = routes.filter(({ endpoint }) => endpoint.method === 'GET').map(({ endpoint }) => endpoint)

test.each(reads.map((endpoint) => [endpoint.path, endpoint] as const))(
  '%s breaks at no number, day, address or text',
  async (path, endpoint) => {
    const fields = fieldsOf(endpoint)
    const usual = [...fields].filter(([, { isNeeded }]) => isNeeded).map(([name, { usual: its }]) => [name, its] as const)
    const absurdities = [[], ...[...fields.keys()].flatMap((name) => absurd.map((value) => [[name, value] as const]))]
    const queries = absurdities.map((absurdity) => new URLSearchParams(Object.fromEntries([...usual, ...absurdity])))
    const answers = queries
      .filter((query) => !isRefusedByForm(endpoint, query))
      .map(async (query, turn) => {
        const who = path.startsWith('/admin/') ? staff : turn % 2 ? member : forum.visitor()
        const url = `/api${path}?${query}`
        const { statusCode } = await forum.app.inject({ url, remoteAddress: '127.0.0.1', headers: who.headers('GET') })
        return statusCode < 500 ? '' : `${statusCode} ${query}`
      })
    expect((await Promise.all(answers)).filter(Boolean)).toEqual([])
  },
)
