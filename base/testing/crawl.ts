import { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { Refusal } from '#base/contract.ts'
import { parseInput, queryBody } from '#base/server/http/request.ts'

type Shape = { enum?: string[]; const?: string; type?: string; anyOf?: Shape[] }

/** Known values by field name, so that requests find something. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

/** The queries of a read with known values: each value of the required fields, and the optional ones one at a time. */
export function queriesFor(endpoint: Endpoint, knownValues: KnownValues): URLSearchParams[] {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  const needed = new Set(schema.required ?? [])
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Shape>)
  const valuesOf = ([name, shape]: [string, Shape]) => valuesFor(shape, knownValues[name] ?? []).map((value) => [name, value] as const)
  const usual = fields
    .filter(([name]) => needed.has(name))
    .reduce<(readonly (readonly [string, string])[])[]>(
      (some, field) => some.flatMap((one) => valuesOf(field).map((pair) => [...one, pair])),
      [[]],
    )
  const others = fields.filter(([name]) => !needed.has(name) && knownValues[name]).flatMap(valuesOf)
  const combinations = usual.flatMap((pairs) => [pairs, ...others.map((other) => [...pairs, other])])
  return combinations
    .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])))
    .filter((query) => isValidQuery(endpoint, query))
}

function valuesFor({ enum: choices, const: only, type }: Shape, knownValues: readonly string[]): readonly string[] {
  if (knownValues.length > 0) return type === 'array' ? [JSON.stringify(knownValues)] : knownValues
  return choices ?? [only ?? (type === 'array' ? '["1"]' : '1')]
}

function isValidQuery(endpoint: Endpoint, query: URLSearchParams): boolean {
  try {
    parseInput(endpoint, queryBody(query.toString()))
    return true
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof Refusal) return false
    throw error
  }
}
