import { refusal, type Endpoint } from '#base/contract.ts'
import { bodyLimitsOf, type BodyLimits } from '#base/server/http/body-limits.ts'
import { parseFields, shapeOf, type Fields } from '#base/server/http/form-fields.ts'
import { maxDepth, parseJson } from '#base/server/http/parse-json.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

export const Malformed = refusal('base.invalid', { status: 400 })
export const TooLarge = refusal('base.tooLarge', { status: 413 })

/** A request body, still raw: it is parsed only after its sender may make the call, and only as far as the call's limits allow. */
export type Body =
  | { as: 'query'; text: string }
  | { as: 'form' | 'json'; bytes: Buffer }
  | { as: 'parts'; fields: Fields }
  | { as: 'values'; values: Record<string, unknown> }

export function queryBody(text: string): Body {
  return { as: 'query', text }
}

/** The raw input of a request: its query, or its body. */
export function rawBodyOf(request: FastifyRequest): Body {
  if (request.method !== 'GET') return (request.body as Body | undefined) ?? { as: 'form', bytes: Buffer.alloc(0) }
  const at = request.url.indexOf('?')
  return queryBody(at < 0 ? '' : request.url.slice(at + 1))
}

/** The validated input of a call. Refuses unknown fields and characters that no text may hold. */
export function parseInput<E extends Endpoint>({ input }: E, body: Body): z.output<E['input']> {
  const values = parseBody(input, body)
  const allowed = shapeOf(input)
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(allowed, name)) throw Malformed()
  }
  if (!isValidValue(values, 0)) throw Malformed()
  return input.parse({ ...values }, { reportInput: true }) as z.output<E['input']>
}

function parseBody(schema: z.ZodType, body: Body): Record<string, unknown> {
  if (body.as === 'values') return body.values
  if (body.as === 'parts') return parseFields(schema, body.fields)
  const limits = bodyLimitsOf(schema)
  if (body.as === 'query') return parseFields(schema, queryFields(body.text, limits))
  const text = textOf(body.bytes, limits)
  return body.as === 'json' ? parseObject(text, limits) : parseFields(schema, formFields(text, limits))
}

// `_t` only varies the browser's cache key.
function queryFields(text: string, limits: BodyLimits): Fields {
  const fields = parseFieldText(text, limits)
  fields.delete('_t')
  return fields
}

function formFields(text: string, limits: BodyLimits): Fields {
  if (!canBeDecoded(text)) throw Malformed()
  return parseFieldText(text, limits)
}

function parseFieldText(text: string, { maxFields }: BodyLimits): URLSearchParams {
  if (text.split('&', maxFields + 1).length > maxFields) throw Malformed()
  return new URLSearchParams(text)
}

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false // invalid UTF-8
  }
}

function parseObject(text: string, limits: BodyLimits): Record<string, unknown> {
  const json = text === '' ? {} : parseOrRefuse(text, limits)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw Malformed()
  return json as Record<string, unknown>
}

function parseOrRefuse(text: string, limits: BodyLimits): unknown {
  try {
    return parseJson(text, limits)
  } catch {
    throw Malformed()
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

// Fatal, because lenient decoding would store a replacement character for each lost letter.
function textOf(bytes: Buffer, { maxBytes }: BodyLimits): string {
  if (bytes.length > maxBytes) throw TooLarge()
  try {
    return utf8.decode(bytes)
  } catch {
    throw Malformed()
  }
}

// Schemas ignore `__proto__`, so an object with it looks emptier than it is.
function isValidValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isValidText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((inner) => isValidValue(inner, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__' || !isValidText(name) || !isValidValue(inner, depth + 1)) return false
  }
  return true
}

// PostgreSQL refuses NUL, and half of a surrogate pair is not text.
function isValidText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
