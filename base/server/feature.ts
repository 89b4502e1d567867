import type { ArchivePart, MemberColumn } from '#base/server/archive-part.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import type { Db } from '#base/server/database/connection.ts'
import type { Route } from '#base/server/http/route.ts'
import type { Webhook } from '#base/server/http/webhook.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import type { StreamSource } from '#base/server/live/live.ts'
import type { Moments } from '#base/server/moments.ts'
import type { PostReference } from '#base/server/post-reference.ts'
import { programOf } from '#base/server/program.ts'

/**
 * The parts that a feature brings to the program. A feature that collects something from others declares a property for it here, by declaration merging
 * beside the code that collects it.
 */
export interface Feature {
  /** The name of its folder. */
  readonly name: string
  readonly routes?: readonly Route[]
  readonly streams?: readonly StreamSource[]
  readonly webhooks?: readonly Webhook[]
  readonly jobs?: readonly Job[]
  readonly bufferedWriters?: readonly BufferedWriter[]
  /** The same for writes that members wait for. */
  readonly promptWriters?: readonly BufferedWriter[]
  /** Files it adds to the archive of a member's data. */
  readonly archive?: readonly ArchivePart[]
  /** Every column of its tables that references a member, by table and column. */
  readonly memberColumns?: Readonly<Record<string, MemberColumn>>
  /** Every column of its tables that references a post, by table and column: a foreign key, an id beside a kind, an array or JSON. */
  readonly postReferences?: Readonly<Record<string, PostReference>>
  /** Its part in the transactions of other features, by moment. */
  readonly moments?: Partial<Moments>
}

type Item<Property> = Property extends readonly (infer One)[] ? One : never

/** All that the features of the program bring of one kind, in the order of the features. */
export function collect<Name extends keyof Feature>(features: readonly Feature[], name: Name): Item<NonNullable<Feature[Name]>>[] {
  return features.flatMap((feature) => (feature[name] ?? []) as Item<NonNullable<Feature[Name]>>[])
}

/** The features of the program that a database belongs to, in their order. */
export function featuresOf(db: Db): readonly Feature[] {
  const features = programOf(db).features as readonly Feature[]
  if (features.length === 0) throw new Error('The program of this database was opened without features')
  return features
}

/** Every column that references a post, with what its feature says of it. */
export function postReferencesOf(db: Db): (PostReference & Column)[] {
  return featuresOf(db).flatMap(({ postReferences }) => byColumn(postReferences ?? {}))
}

/** Every column that references a member, with what its feature says of it. */
export function memberColumnsOf(db: Db): (MemberColumn & Column)[] {
  return featuresOf(db).flatMap(({ memberColumns }) => byColumn(memberColumns ?? {}))
}

type Column = { name: string; table: string; column: string }

/** The answers for columns, with the table and the column of each. */
export function byColumn<Answers extends object>(columns: Readonly<Record<string, Answers>>): (Answers & Column)[] {
  return Object.entries(columns).map(([name, answers]) => {
    const dot = name.lastIndexOf('.')
    return { ...answers, name, table: name.slice(0, dot), column: name.slice(dot + 1) }
  })
}
