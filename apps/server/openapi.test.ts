import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
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
    properties: { content: { minItems: 1, items: { $ref: '#/components/schemas/Block' } } },
    additionalProperties: false,
  })
  expect(schemas.Image.properties.attrs.properties.alt).toMatchObject({ type: 'string', maxLength: 300 })
  expect(topicDocument.safeParse(schemas.Document.example).data).toEqual(schemas.Document.example)
  const references = [...body.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to?.replace('#/components/schemas/', ''))
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(references))
})

test('the page for people leads from a call to the document', async () => {
  const page = (await forum.app.inject('/api/docs')).body
  expect(page).toContain('<a href="#Document">#/components/schemas/Document</a>')
  expect(page).toContain('<h3 id="Document">')
})
