import { expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { anyone, type DocumentedRoute } from '#base/server/http/route.ts'
import { openapiOf } from '#apps/server/openapi.ts'
import { purseRoutes } from '#base/testing/ledger-model.ts'
import { aForum } from '#base/testing/forum.ts'
import { streams } from '#comment/server/streams.ts'
import { streams as newsOfEnvelopes } from '#red-envelope/server/streams.ts'
import { topicDocument } from '#writing/contract.ts'

const forum = await aForum()
const { body } = await forum.app.inject('/api/openapi.json')
const openapi = JSON.parse(body)

function bodyOf(path: string) {
  return openapi.paths[path].post.requestBody.content['application/json'].schema.properties.body
}

test.each([
  ['/topic/publish', 'Document', 50_000],
  ['/topic/edit', 'Document', 50_000],
  ['/comment/add', 'Document', 20_000],
  ['/comment/addReply', 'ReplyDocument', 2_000],
])('%s says which document it takes, and how long', (path, name, characters) => {
  expect(bodyOf(path)).toMatchObject({
    $ref: `#/components/schemas/${name}`,
    'x-limits': { characters, pictures: 50, files: 20, mentions: 30, nodes: 5000, depth: 20 },
  })
  expect(bodyOf(path).description).toContain(characters.toLocaleString('en'))
})

test('a post as it was written is the same document', () => {
  const schema = openapi.paths['/user/editTopic'].get.responses[200].content['application/json'].schema
  expect(schema.properties.body.$ref).toBe('#/components/schemas/Document')
})

test('every part of a document is described, and every reference leads to one', () => {
  const { schemas } = openapi.components
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Document', 'ReplyDocument', 'Block', 'Inline', 'Mark', 'Image', 'File', 'Mention']),
  )
  expect(schemas.Document).toMatchObject({
    required: ['type', 'content'],
    properties: {
      content: { minItems: 1, items: { anyOf: [{ $ref: '#/components/schemas/Block' }, { $ref: '#/components/schemas/Hidden' }] } },
    },
    additionalProperties: false,
  })
  expect(schemas.Image.properties.attrs.properties.alt).toMatchObject({ type: 'string', maxLength: 300 })
  expect(topicDocument.safeParse(schemas.Document.example).data).toEqual(schemas.Document.example)
  const references = [...body.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  expect(references.filter(([, kind = '', name = '']) => !Object.hasOwn(openapi.components[kind], name))).toEqual([])
  expect(references.length).toBeGreaterThan(1_000)
})

test('the page for people leads from a call to the document', async () => {
  const page = (await forum.app.inject('/api/docs')).body
  expect(page).toContain('<a href="#Document">#/components/schemas/Document</a>')
  expect(page).toContain('<h3 id="Document">')
})

const calls = [...routes, ...streams, ...newsOfEnvelopes].map((route: DocumentedRoute) => {
  const { method, path } = route.endpoint
  return { ...route, isForStaff: path.startsWith('/admin/'), isWrite: method === 'POST', its: openapi.paths[path][method.toLowerCase()] }
})

test('each call declares its callers: anyone, a member by the pair, staff by their cookie', () => {
  const schemeOf = ({ guard, isForStaff }: (typeof calls)[number]) =>
    guard === anyone ? [] : isForStaff ? [{ staff: [] }] : [{ pair: [] }]
  expect(
    calls.filter((call) => JSON.stringify(call.its.security) !== JSON.stringify(schemeOf(call))).map(({ its }) => its.operationId),
  ).toEqual([])
  expect(openapi.components.securitySchemes.staff).toMatchObject({ type: 'apiKey', in: 'cookie', name: 'teahouse_staff' })
})

test('a write says which headers it needs, and that its body is needed where anything in it is', () => {
  const headers = Object.values<{ name: string; required?: boolean }>(openapi.components.parameters)
  expect(headers.map(({ name, required }) => [name, required ?? false])).toEqual([
    ['X-Requested-With', true],
    ['BBS-XSRF-TOKEN', true],
    ['Idempotency-Key', false],
  ])
  const wrong = calls.filter(({ isWrite, its: { parameters, requestBody } }) => {
    if (!isWrite) return requestBody !== undefined
    const { schema } = Object.values<{ schema: { required?: string[] } }>(requestBody?.content ?? {})[0] ?? {}
    return parameters.length !== 3 || (requestBody?.required ?? false) !== (schema?.required ?? []).length > 0
  })
  expect(wrong.map(({ its }) => its.operationId)).toEqual([])
  expect(openapi.paths['/comment/add'].post.requestBody.required).toBe(true)
})

test('a write that demands a key says so', () => {
  const { paths } = openapiOf(purseRoutes(forum.database.app, {}), 'Purses') as {
    paths: Record<string, { post: { parameters: unknown[] } }>
  }
  expect(paths['/purse/pay']?.post.parameters[2]).toMatchObject({ name: 'Idempotency-Key', in: 'header', required: true })
  expect(paths['/purse/spend']?.post.parameters[2]).toEqual({ $ref: '#/components/parameters/Key' })
})

test('each declares its refusals: of its form, a missing thing, too many requests, and a closed site', () => {
  const statuses = ['400', '403', '404', '503']
  const lacks = calls.filter(({ its, isWrite, limits, guard }) => {
    const expectedStatuses = [
      ...statuses,
      ...(isWrite ? ['409', '422'] : []),
      ...(!isWrite || limits ? ['429'] : []),
      ...(guard === anyone ? [] : ['401']),
    ]
    return !expectedStatuses.every((status) => Object.hasOwn(its.responses, status))
  })
  expect(lacks.map(({ its }) => its.operationId)).toEqual([])
})

test('a call that is answered in pieces says so, and how they end', () => {
  const streamed = routes.filter(({ endpoint }) => endpoint.streams)
  expect(streamed.length).toBeGreaterThan(0)
  for (const { endpoint } of streamed) {
    const { 200: success } = openapi.paths[endpoint.path].post.responses
    expect(Object.keys(success.content)).toEqual(['text/event-stream'])
    expect(success.description).toContain('`end`')
  }
})
