import type { z } from 'zod'

type Fields = Readonly<Record<string, z.ZodType>>

/**
 * The fields that a feature adds to the views of comments and replies. It declares them in its `post-part.ts`, which both sides import.
 */
export interface PostPart {
  readonly comment?: Fields
  readonly reply?: Fields
  /** The member's own state of a page of a thread. The lists of several pages are joined. */
  readonly mine?: Fields
}

type Target = keyof PostPart
type FieldNames<Part, To extends Target> = Part extends Record<To, infer Own> ? keyof Own : never
type FieldOf<Part, To extends Target, Name extends PropertyKey> = Part extends Record<To, Record<Name, infer Field>> ? Field : never
type FieldsOf<Part, To extends Target> = { [Name in FieldNames<Part, To>]: FieldOf<Part, To, Name> }

/** The fields of all parts, for the schema of a view. */
export function fieldsOf<const Part extends PostPart, To extends Target>(parts: readonly Part[], to: To): FieldsOf<Part, To> {
  return Object.assign({}, ...parts.map((part) => part[to] ?? {})) as FieldsOf<Part, To>
}
