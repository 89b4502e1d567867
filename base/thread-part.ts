import { z } from 'zod'
import type { RefusalKind } from '#base/contract.ts'

/**
 * A part of a thread that belongs to a feature of its own. The feature declares it in `thread-part.ts`, which both sides import, and
 * `features/lists/thread-parts.ts` lists all of them. Publishing takes it under `parts.<name>`, and the thread shows it there.
 */
export interface ThreadPart {
  /** In camel case. */
  readonly name: string
  /** The input of publishing a topic or a question; absent for a part that is added in another way. */
  readonly input?: z.ZodType
  /** The view that all readers of the thread get; absent for a part that is read in another way. */
  readonly view?: z.ZodType
  /** The refusals of publishing it. The field of one is named in full: `parts.poll.options`. */
  readonly errors?: readonly RefusalKind[]
}

type Optional<Part extends ThreadPart, Side extends 'input' | 'view'> = {
  [One in Part as One extends Record<Side, z.ZodType> ? One['name'] : never]: z.ZodOptional<Extract<One[Side], z.ZodType>>
}

/** The schema of the parts that a thread is published with. */
export function partsInput<const Parts extends readonly ThreadPart[]>(
  parts: Parts,
): z.ZodObject<Optional<Parts[number], 'input'>, z.core.$strict> {
  return z.strictObject(shapeOf(parts, 'input')) as never
}

/** The schema of the parts that a thread shows. */
export function partsView<const Parts extends readonly ThreadPart[]>(parts: Parts): z.ZodObject<Optional<Parts[number], 'view'>> {
  return z.object(shapeOf(parts, 'view')) as never
}

export function partErrors(parts: readonly ThreadPart[]): RefusalKind[] {
  return parts.flatMap(({ errors }) => errors ?? [])
}

function shapeOf(parts: readonly ThreadPart[], side: 'input' | 'view'): Record<string, z.ZodOptional> {
  return Object.fromEntries(parts.flatMap(({ name, [side]: schema }) => (schema ? [[name, schema.optional()]] : [])))
}
