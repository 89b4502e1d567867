import { z } from 'zod'
import { bodyLimitsOf } from '#base/server/http/body-limits.ts'
import { parseJson } from '#base/server/http/parse-json.ts'
import { normalizeNumber } from '#base/typed-number.ts'

export type Fields = Iterable<readonly [name: string, text: string]>

/**
 * The values of a form or a query string in the schema's types. They arrive as text, so numbers and booleans are parsed, repeated fields
 * become lists, and any other shape is JSON. Unparsable text stays as it is, for the schema to refuse.
 */
export function parseFields(schema: z.ZodType, fields: Fields): Record<string, unknown> {
  const shape = shapeOf(schema)
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, all] of groupByName(fields)) {
    const type = Object.hasOwn(shape, name) ? unwrap(shape[name] as z.ZodType) : undefined
    values[name] = type instanceof z.ZodArray ? listOf(type, all) : all.length > 1 ? all : valueOf(type, all[0] ?? '')
  }
  return values
}

// In one pass: a form may repeat a name ten thousand times.
function groupByName(fields: Fields): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const [name, text] of fields) {
    const before = all.get(name)
    if (before) before.push(text)
    else all.set(name, [text])
  }
  return all
}

/** The field names of an object schema; unknown fields are refused. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const inner = unwrap(schema)
  return inner instanceof z.ZodObject ? inner.shape : {}
}

function listOf(type: z.ZodArray, all: string[]): unknown {
  const item = unwrap(type.element as z.ZodType)
  if (all.length === 1 && all[0]?.startsWith('[')) return json(type, all[0])
  return all.map((text) => valueOf(item, text))
}

function valueOf(type: z.ZodType | undefined, text: string): unknown {
  if (!type || type instanceof z.ZodString || type instanceof z.ZodEnum || type instanceof z.ZodLiteral) return text
  // A program may send a list where a form sends lines.
  if (type instanceof z.ZodUnion && type.options.some((one) => unwrap(one as z.ZodType) instanceof z.ZodString)) return text
  if (type instanceof z.ZodNumber) return numberIn(text)
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text
  return json(type, text)
}

function numberIn(text: string): number | string {
  const number = normalizeNumber(text)
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(number) ? Number(number) : text
}

function json(type: z.ZodType, text: string): unknown {
  try {
    return parseJson(text, bodyLimitsOf(type))
  } catch {
    return text // the schema reports the fault
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType)
  return schema
}
