import { z } from 'zod'

/** The limits of a request body. */
export type BodyLimits = {
  maxBytes: number
  /** Of a form or a query string; a repeated field counts each time. */
  maxFields: number
  /** Of one object in JSON. */
  maxNames: number
  /** Values of JSON, at any depth. */
  maxNodes: number
}

/** The maximum of any form or JSON, in bytes. */
export const largestBody = 2 * 1024 * 1024

// Slack over the contract, so that the field's own error can name the fault.
const spare = { bytes: 64 * 1024, names: 50, nodes: 100 }
// A character takes up to twelve bytes in a form, and some are composed of several.
const bytesPerCharacter = 24
// A value's name and punctuation.
const bytesPerNode = 100
/** The maximum of a string or a list whose contract names none. */
const defaults = { maxLength: 1_000, maxItems: 100 }
// A document is checked by its own schema: each of its nodes takes several in JSON.
const document: SizeEstimate = { nodes: 20 * 5_000, characters: largestBody, width: 0 }

type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  maxProperties?: number
  items?: JsonSchema
  maxItems?: number
  maxLength?: number
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}
type SizeEstimate = { nodes: number; characters: number; width: number }

const limitsBySchema = new WeakMap<z.ZodType, BodyLimits>()

/** The limits of a call, derived from its contract and cached. */
export function bodyLimitsOf(schema: z.ZodType): BodyLimits {
  const before = limitsBySchema.get(schema)
  if (before) return before
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { nodes, characters, width } = sizeOf(shape)
  const limits = {
    maxBytes: Math.min(largestBody, spare.bytes + characters * bytesPerCharacter + nodes * bytesPerNode),
    maxFields: spare.names + Object.values(shape.properties ?? {}).reduce((sum, field) => sum + repetitionsOf(field), 0),
    maxNames: spare.names + width,
    maxNodes: spare.nodes + nodes,
  }
  limitsBySchema.set(schema, limits)
  return limits
}

function sizeOf(shape: JsonSchema): SizeEstimate {
  if (shape.anyOf) return shape.anyOf.map(sizeOf).reduce(largerOf)
  if (shape.type === 'object') return sizeOfObject(shape)
  if (shape.type === 'array') return nestedSize([times(repetitionsOf(shape), sizeOf(shape.items ?? {}))])
  if (shape.type === undefined && !shape.enum && shape.const === undefined) return document
  return { ...nothing, nodes: 1, characters: shape.type === 'string' ? (shape.maxLength ?? defaults.maxLength) : 0 }
}

function sizeOfObject({ properties = {}, additionalProperties: others, maxProperties = defaults.maxItems }: JsonSchema): SizeEstimate {
  const inner = Object.values(properties).map(sizeOf)
  const record = typeof others === 'object' ? maxProperties : 0
  const all = nestedSize(record > 0 ? [...inner, times(record, sizeOf(others as JsonSchema))] : inner)
  return { ...all, width: Math.max(all.width, inner.length + record) }
}

// A list may arrive as one repeated field.
function repetitionsOf({ type, maxItems = defaults.maxItems }: JsonSchema): number {
  return type === 'array' ? maxItems : 1
}

const nothing: SizeEstimate = { nodes: 0, characters: 0, width: 0 }

function nestedSize(sizes: readonly SizeEstimate[]): SizeEstimate {
  return sizes.reduce(
    (sum, { nodes, characters, width }) => ({
      nodes: sum.nodes + nodes,
      characters: sum.characters + characters,
      width: Math.max(sum.width, width),
    }),
    { ...nothing, nodes: 1 },
  )
}

function times(count: number, { nodes, characters, width }: SizeEstimate): SizeEstimate {
  return { nodes: count * nodes, characters: count * characters, width }
}

function largerOf(one: SizeEstimate, other: SizeEstimate): SizeEstimate {
  return {
    nodes: Math.max(one.nodes, other.nodes),
    characters: Math.max(one.characters, other.characters),
    width: Math.max(one.width, other.width),
  }
}
