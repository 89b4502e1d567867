import { z } from 'zod'
import { documentSchemas, pointToDocuments } from '#apps/server/document-schema.ts'
import { commonAnswers, refusalsOf } from '#apps/server/openapi-answers.ts'
import type { Endpoint } from '#base/contract.ts'
import { secretCookieName, staffCookie } from '#base/server/http/secret-cookies.ts'
import { csrfCookie } from '#base/server/security/csrf.ts'
import { anyone, type DocumentedRoute } from '#base/server/http/route.ts'

type Json = Record<string, unknown>

/** The calls as OpenAPI 3.1, generated from the contracts. */
export function openapiOf(routes: readonly DocumentedRoute[], title: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { path, method } = route.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api' }],
    components: { schemas: documentSchemas(), responses: commonAnswers(), parameters: headers, securitySchemes: securitySchemes() },
    paths,
  }
}

const about = [
  'Reads are GET with a query. Writes are POST with a form or JSON; objects inside a form are JSON text.',
  'A write echoes the cookie cms_token, which GET /baseInfo hands out, in the header BBS-XSRF-TOKEN, and carries X-Requested-With.',
  'An Idempotency-Key (16 to 64 letters, digits, - or _) makes a write happen once, however often it is sent within three days.',
  'A refusal that a form can show answers { "error": { field: message } }, in the language of Accept-Language.',
].join('\n\n')

function securitySchemes(): Json {
  const session = { name: secretCookieName(staffCookie), description: 'The session of a member of staff, begun by POST /admin/signIn.' }
  return {
    pair: { type: 'http', scheme: 'bearer', description: 'The access and the refresh token of a member, joined by a comma.' },
    staff: { type: 'apiKey', in: 'cookie', ...session },
  }
}

const header = { in: 'header', schema: { type: 'string' } }
const key = { ...header, name: 'Idempotency-Key', schema: { type: 'string', pattern: '^[\\w-]{16,64}$' } }
const headers = {
  RequestedWith: {
    ...header,
    name: 'X-Requested-With',
    required: true,
    description: 'Anything, such as XMLHttpRequest: no form of another site can send it.',
  },
  WriteToken: {
    ...header,
    name: 'BBS-XSRF-TOKEN',
    required: true,
    description: `What the cookie ${csrfCookie} says, which GET /baseInfo hands out and which is sent too.`,
  },
  Key: { ...key, description: 'Makes this happen once, however often it is sent within three days. Best a random UUID.' },
}
const requiredKey = {
  ...key,
  required: true,
  description: 'Makes this happen once, however often it is sent. Best a random UUID. What was refused stays refused under its key.',
}

const streamedDescription =
  'Comes in pieces while they are made: the data of each event without a name is one. The last event is `end`, or `refused` with the status and the body of a refusal.'

function operationOf(route: DocumentedRoute): Json {
  const { endpoint, isLive } = route
  return {
    operationId: operationName(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1] ?? ''],
    security: securityOf(route),
    ...requestOf(route),
    responses: {
      200: {
        description: endpoint.streams ? streamedDescription : 'Done',
        content: {
          [isLive || endpoint.streams ? 'text/event-stream' : 'application/json']: { schema: schemaOf(endpoint.output, 'output') },
        },
      },
      ...refusalsOf(route),
    },
    'x-refusals': endpoint.errors.map((kind) => kind.code),
  }
}

function securityOf({ guard }: DocumentedRoute): Json[] {
  if (guard === anyone) return []
  return [guard.right === undefined ? { pair: [] } : { staff: [] }]
}

function requestOf({ endpoint: { method, input }, uploadBytes, requiresIdempotencyKey }: DocumentedRoute): Json {
  const schema = schemaOf(input, 'input')
  const fields = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  if (method === 'GET') {
    return { parameters: Object.entries(fields).map(([name, schema]) => ({ name, in: 'query', required: required.has(name), schema })) }
  }
  const parameters = [headerAt('RequestedWith'), headerAt('WriteToken'), requiresIdempotencyKey === true ? requiredKey : headerAt('Key')]
  if (uploadBytes !== undefined) {
    const withFile = { ...schema, properties: { ...fields, file: { type: 'string', format: 'binary' } }, required: [...required, 'file'] }
    return { parameters, requestBody: { required: true, content: { 'multipart/form-data': { schema: withFile } } } }
  }
  if (Object.keys(fields).length === 0) return { parameters }
  // Client generators take the first type, and few of them support JSON inside a form.
  const content = { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } }
  return { parameters, requestBody: { required: required.size > 0, content } }
}

function headerAt(name: keyof typeof headers): Json {
  return { $ref: `#/components/parameters/${name}` }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: pointToDocuments })
  return rest
}

function operationName({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('')
}
