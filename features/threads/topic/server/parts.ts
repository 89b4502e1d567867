import { sql, type RawBuilder } from 'kysely'
import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { Member } from '#base/server/http/route.ts'
import type { NewThread, ServerThreadPart } from '#base/server/thread-part.ts'
import type { ThreadPartsInput, ThreadPartsView } from '#topic/parts-contract.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Its part of threads, which it declares in `thread-part.ts`. */
    readonly threadPart?: ServerThreadPart
  }
}

/** The texts of the parts that a thread is published with, by the names of their fields. */
export function textsOfParts(db: Db, input: ThreadPartsInput): Record<string, string> {
  const texts = partsGiven(db, input).flatMap(([{ name, texts: textsOf }, own]) =>
    Object.entries(textsOf?.(own) ?? {}).map(([field, text]) => [`parts.${name}.${field}`, text] as const),
  )
  return Object.fromEntries(texts)
}

/** Whether a part of these must never be published twice. */
export function partsRequireKey(db: Db, input: ThreadPartsInput = {}): boolean {
  return partsGiven(db, input).some(([{ requiresKey }, own]) => requiresKey?.(own))
}

/** Adds the parts to a thread that was just published, in the order of the features. */
export async function publishParts(tx: Db, author: Member, thread: NewThread, input: ThreadPartsInput): Promise<void> {
  for (const [{ publish }, own] of partsGiven(tx, input)) await publish?.(tx, author, thread, own)
}

/** The sources of all parts in one JSON object, as an expression over the row of `topic`. A withdrawn question has none. */
export function partSources(db: Db): RawBuilder<Record<string, unknown>> {
  const sources = partsIn(db).flatMap(({ name, source }) => (source ? [sql`${name}::text, ${source}`] : []))
  return sql`case when topic.withdrawn_at is null then jsonb_build_object(${sql.join(sources, sql`, `)}) else '{}' end`
}

/** The parts that a thread shows. Their statements run at the same time. */
export async function viewParts(db: Db, topicId: string, sources: Record<string, unknown>): Promise<ThreadPartsView> {
  const views = partsIn(db).map(async ({ name, view }) => {
    const source = sources[name] ?? null
    return [name, source === null ? undefined : view ? await view(db, source, topicId) : source] as const
  })
  return Object.fromEntries(await Promise.all(views))
}

/** The parts of a thread, published or not. */
export async function partsOf(db: Db, topicId: string): Promise<ThreadPartsView> {
  const row = await db.selectFrom('topic').select(partSources(db).as('parts')).where('id', '=', topicId).executeTakeFirst()
  return row ? viewParts(db, topicId, row.parts) : {}
}

/** The parts of a thread as Markdown, below its text. */
export async function markdownOfParts(db: Db, topicId: string): Promise<Block[]> {
  return (await Promise.all(partsIn(db).map(async ({ markdown }) => (await markdown?.(db, topicId)) ?? []))).flat()
}

/** The parts that a thread is published with, each with its input. */
function partsGiven(db: Db, input: Readonly<Record<string, unknown>>): [ServerThreadPart, unknown][] {
  return partsIn(db).flatMap((part) => (input[part.name] === undefined ? [] : [[part, input[part.name]]]))
}

function partsIn(db: Db): ServerThreadPart[] {
  return featuresOf(db).flatMap(({ threadPart }) => threadPart ?? [])
}
