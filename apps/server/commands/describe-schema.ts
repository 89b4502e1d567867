import { z } from 'zod'

type Shape = z.core.JSONSchema.BaseSchema

/** Describes a schema in words: "a whole number from 1 to 3". */
export function describeSchema(schema: z.ZodType): string {
  return inWords(z.toJSONSchema(schema, { io: 'input' }))
}

function inWords(shape: Shape): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((one) => (one === '' ? 'nothing' : one)).join(' or ')
  if (shape.type === 'boolean') return 'true or false'
  if (shape.pattern !== undefined) return `text of the form ${shape.pattern}`
  if (shape.type === 'string')
    return shape.maxLength === undefined ? 'text' : `text of ${shape.minLength ?? 0} to ${shape.maxLength} characters`
  if (shape.type === 'array') return `a JSON list of at most ${shape.maxItems} items, each ${inWords(items(shape))}, such as ["one", "two"]`
  return `a ${shape.type === 'integer' ? 'whole ' : ''}number from ${shape.minimum} to ${shape.maximum}`
}

function items({ items: one }: Shape): Shape {
  return typeof one === 'object' && !Array.isArray(one) ? one : {}
}
