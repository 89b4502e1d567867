import { refusal, type Endpoint } from '#base/contract.ts'
import { fromFields, shapeOf } from '#base/server/form-fields.ts'
import { deepest, parseJson } from '#base/server/parse-json.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'

export const Malformed = refusal('base.invalid', { status: 400 })

/** What a client sent: values for the schema, and the text of an address, which comes again and again. */
export type Body = { text: string; readonly fields: URLSearchParams | null; json: unknown }

/** The query of an address, taken apart only if somebody asks. `_t` is there for the browser's cache alone. */
export function queryBody(text: string): Body {
  return {
    text,
    get fields() {
      const fields = new URLSearchParams(text)
      fields.delete('_t')
      return fields
    },
    json: null,
  }
}

/** What came with a request: its query, or the body that was parsed. */
export function bodyOf(request: FastifyRequest): Body {
  if (request.method !== 'GET') return (request.body as Body | undefined) ?? formBody()
  const at = request.url.indexOf('?')
  return queryBody(at < 0 ? '' : request.url.slice(at + 1))
}

export function formBody(bytes?: Buffer): Body {
  const text = textOf(bytes)
  if (!canBeDecoded(text)) throw Malformed()
  return { text: '', fields: new URLSearchParams(text), json: null }
}

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false // bytes that are no letters
  }
}

export function jsonBody(bytes: Buffer): Body {
  const text = textOf(bytes)
  return { text: '', fields: null, json: text === '' ? {} : parseJson(text) }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

// What is broken would be kept with a sign in place of each letter that was lost.
function textOf(bytes?: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw Malformed()
  }
}

/** The checked input of a call. Refuses unknown fields and characters that no text may hold. */
export function inputOf<E extends Endpoint>(endpoint: E, body: Body): z.output<E['takes']> {
  const { fields } = body
  const values = fields ? fromFields(endpoint.takes, fields) : objectOf(body.json)
  const known = shapeOf(endpoint.takes)
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(known, name)) throw Malformed()
  }
  if (!isSound(values, 0)) throw Malformed()
  return endpoint.takes.parse({ ...values }, { reportInput: true }) as z.output<E['takes']>
}

// PostgreSQL refuses NUL, and half of a surrogate pair is not text.
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  return Object.entries(value).every(([key, inner]) => !key.includes('\0') && isSound(inner, depth + 1))
}

function objectOf(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw Malformed()
  return json as Record<string, unknown>
}
