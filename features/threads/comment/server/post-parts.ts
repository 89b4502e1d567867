import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { CommentField, MemberPage, PostField, ServerPostPart } from '#base/server/post-part.ts'
import type { CommentFields, MineFields, ReplyFields } from '#post/parts-contract.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Its fields of comments, of replies and of a member's own state of a thread, which it declares in `post-part.ts`. */
    readonly postPart?: ServerPostPart
  }
}

/** The fields of all features over the row of `comment`, as one JSON object. */
export function commentSources(db: Db): RawBuilder<CommentFields> {
  return objectOf(fieldsOf(db, 'comment').map(([name, { source }]) => [name, source]))
}

/** The same over the row of `reply`. */
export function replySources(db: Db): RawBuilder<ReplyFields> {
  return objectOf(fieldsOf(db, 'reply').map(([name, { source }]) => [name, source]))
}

/** The same of a member's own state, over the row of `topic`. */
export function mineSources(db: Db, page: MemberPage): RawBuilder<MineFields> {
  return objectOf(fieldsOf(db, 'mine').map(([name, source]) => [name, source(page)]))
}

export type FieldViews = {
  ofComment: (sources: CommentFields, isRemoved: boolean) => CommentFields
  ofReply: (sources: ReplyFields) => ReplyFields
}

/** Turns sources into what readers see. */
export async function fieldViews(db: Db): Promise<FieldViews> {
  const [comment, reply] = await Promise.all([viewOf(db, fieldsOf(db, 'comment')), viewOf(db, fieldsOf(db, 'reply'))])
  const removed = Object.fromEntries(fieldsOf(db, 'comment').map(([name, { ifRemoved }]) => [name, ifRemoved])) as CommentFields
  return { ofComment: (sources, isRemoved) => (isRemoved ? removed : comment(sources)), ofReply: reply }
}

async function viewOf(db: Db, fields: readonly [string, PostField<unknown> | CommentField<unknown>][]) {
  const views = await Promise.all(fields.map(async ([name, { view }]) => [name, await view?.(db)] as const))
  return <Sources extends Record<string, unknown>>(sources: Sources): Sources =>
    Object.fromEntries(views.map(([name, view]) => [name, view ? view(sources[name]) : sources[name]])) as Sources
}

function objectOf<Values>(fields: readonly [name: string, source: RawBuilder<unknown>][]): RawBuilder<Values> {
  const pairs = fields.map(([name, source]) => sql`${name}::text, ${source}`)
  return sql`json_build_object(${sql.join(pairs, sql`, `)})`
}

function fieldsOf<To extends keyof ServerPostPart>(db: Db, to: To): [string, NonNullable<ServerPostPart[To]>[string]][] {
  return featuresOf(db).flatMap(({ postPart }) => Object.entries(postPart?.[to] ?? {})) as never
}
