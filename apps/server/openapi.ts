import { z } from 'zod'
import { documentSchemas, pointToDocuments } from '#apps/server/document-schema.ts'
import type { Endpoint } from '#base/contract.ts'
import { anyone, type Described } from '#base/server/route.ts'
import { say } from '#base/server/words.ts'

type Json = Record<string, unknown>

/** The calls as OpenAPI 3.1, made from the contracts that the server itself obeys. */
export function openapiOf(routes: readonly Described[], title: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { path, method } = route.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: about },
    servers: [{ url: '/api' }],
    components: {
      schemas: documentSchemas(),
      securitySchemes: { pair: { type: 'http', scheme: 'bearer', description: 'The access and the refresh token, joined by a comma.' } },
    },
    paths,
  }
}

const about = [
  'Reads are GET with a query. Writes are POST with a form or JSON; objects inside a form are JSON text.',
  'A write echoes the cookie cms_token, which GET /baseInfo hands out, in the header BBS-XSRF-TOKEN, and carries X-Requested-With.',
  'An Idempotency-Key (16 to 64 letters, digits, - or _) makes a write happen once, however often it is sent within three days.',
  'A refusal that a form can show answers { "error": { field: message } }, in the language of Accept-Language.',
].join('\n\n')

function operationOf({ endpoint, gate, uploadBytes, isLive }: Described): Json {
  const { does, path, refuses } = endpoint
  return {
    operationId: operationName(endpoint),
    summary: does,
    tags: [path.split('/')[1] ?? ''],
    ...(gate !== anyone && { security: [{ pair: [] }] }),
    ...inputOf(endpoint, uploadBytes !== undefined),
    responses: {
      200: {
        description: 'Done',
        content: { [isLive ? 'text/event-stream' : 'application/json']: { schema: schemaOf(endpoint.gives, 'output') } },
      },
      400: { description: 'The request is not of the form that this call takes.' },
      ...(endpoint.method === 'POST' && { 422: refusedFields }),
      ...(gate !== anyone && { 401: { description: say('en', 'base.signedOut') } }),
      ...Object.fromEntries(
        refuses
          .filter((kind) => kind.status !== 422)
          .map((kind) => [kind.status, { description: say('en', kind.code, { seconds: 1, account: 'anna', name: 'Anna', by: 'anna' }) }]),
      ),
    },
    'x-refusals': refuses.map((kind) => kind.code),
  }
}

const refusedFields = {
  description: 'Refused; the message of each field, or of the whole form, in the language asked for.',
  content: {
    'application/json': { schema: { type: 'object', properties: { error: { type: 'object', additionalProperties: { type: 'string' } } } } },
  },
}

function inputOf({ method, takes }: Endpoint, isUpload: boolean): Json {
  const schema = schemaOf(takes, 'input')
  const fields = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  if (method === 'GET') {
    return { parameters: Object.entries(fields).map(([name, its]) => ({ name, in: 'query', required: required.has(name), schema: its })) }
  }
  if (isUpload)
    return {
      requestBody: {
        content: {
          'multipart/form-data': { schema: { ...schema, properties: { ...fields, file: { type: 'string', format: 'binary' } } } },
        },
      },
    }
  return { requestBody: { content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } } } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: pointToDocuments })
  return rest
}

function operationName({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('')
}
