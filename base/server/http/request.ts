import { refusal, type Endpoint } from '#base/contract.ts'
import { bodyLimitsOf, type BodyLimits } from '#base/server/http/body-limits.ts'
import { fromFields, shapeOf, type Fields } from '#base/server/http/form-fields.ts'
import { deepest, parseJson } from '#base/server/http/parse-json.ts'
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
export function bodyOf(request: FastifyRequest): Body {
  if (request.method !== 'GET') return (request.body as Body | undefined) ?? { as: 'form', bytes: Buffer.alloc(0) }
  const at = request.url.indexOf('?')
  return queryBody(at < 0 ? '' : request.url.slice(at + 1))
}

/** The validated input of a call. Refuses unknown fields and characters that no text may hold. */
export function inputOf<E extends Endpoint>({ input }: E, body: Body): z.output<E['input']> {
  const values = valuesIn(input, body)
  const known = shapeOf(input)
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(known, name)) throw Malformed()
  }
  if (!isSound(values, 0)) throw Malformed()
  return input.parse({ ...values }, { reportInput: true }) as z.output<E['input']>
}

function valuesIn(schema: z.ZodType, body: Body): Record<string, unknown> {
  if (body.as === 'values') return body.values
  if (body.as === 'parts') return fromFields(schema, body.fields)
  const limits = bodyLimitsOf(schema)
  if (body.as === 'query') return fromFields(schema, queryFields(body.text, limits))
  const text = textOf(body.bytes, limits)
  return body.as === 'json' ? objectIn(text, limits) : fromFields(schema, formFields(text, limits))
}

// `_t` only varies the browser's cache key.
function queryFields(text: string, limits: BodyLimits): Fields {
  const fields = fieldsIn(text, limits)
  fields.delete('_t')
  return fields
}

function formFields(text: string, limits: BodyLimits): Fields {
  if (!canBeDecoded(text)) throw Malformed()
  return fieldsIn(text, limits)
}

function fieldsIn(text: string, { maxFields }: BodyLimits): URLSearchParams {
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

function objectIn(text: string, limits: BodyLimits): Record<string, unknown> {
  const json = text === '' ? {} : parsed(text, limits)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw Malformed()
  return json as Record<string, unknown>
}

function parsed(text: string, limits: BodyLimits): unknown {
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
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((inner) => isSound(inner, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__' || !isText(name) || !isSound(inner, depth + 1)) return false
  }
  return true
}

// PostgreSQL refuses NUL, and half of a surrogate pair is not text.
function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
