import fastJson from 'fast-json-stringify'
import { z } from 'zod'
import { lazy } from '#base/lazy.ts'

export type ResponseWriter = (answer: unknown) => string

/** Compiles the output schema, at the first use, to a writer that emits only the fields it names. */
export function responseWriter(schema: z.ZodType): ResponseWriter {
  const write = lazy(() => {
    const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override: joinNull })
    return fastJson(json as never) as ResponseWriter
  })
  return (answer) => write()(answer)
}

/** For tests and development: throws if an answer breaks its contract or has fields that would be dropped. */
export function checkedWriter(path: string, schema: z.ZodType): ResponseWriter {
  const write = responseWriter(schema)
  return (answer) => {
    const parsed = schema.safeParse(answer)
    if (!parsed.success) throw new Error(`${path} answers other than its contract: ${z.prettifyError(parsed.error)}`)
    const dropped = droppedFields(answer, parsed.data, path)
    if (dropped.length > 0) throw new Error(`${path} answers more than its contract names: ${dropped.join(', ')}`)
    return write(answer)
  }
}

// A writer for "this or null" need not try both.
function joinNull({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  const choices = jsonSchema.anyOf
  if (!Array.isArray(choices) || choices.length !== 2) return
  const other = choices.find((choice) => choice.type !== 'null')
  // A union or null is tried as it stands.
  if (!choices.some((choice) => choice.type === 'null') || !other || other.anyOf) return
  delete jsonSchema.anyOf
  // In a union of objects the enum values are compared too, and null is one of them.
  Object.assign(jsonSchema, other, { nullable: true }, other.enum && { enum: [...other.enum, null] })
}

function droppedFields(original: unknown, parsed: unknown, at: string): string[] {
  if (typeof original !== 'object' || original === null || typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(original).flatMap(([key, value]) => {
    const its = Object.hasOwn(parsed, key) ? (parsed as Record<string, unknown>)[key] : undefined
    if (value !== undefined && its === undefined) return [`${at}.${key}`]
    return droppedFields(value, its, `${at}.${key}`)
  })
}
