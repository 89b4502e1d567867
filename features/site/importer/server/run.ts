import { sql } from 'kysely'
import { CannotStart } from '#base/server/cannot-start.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { anyOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import { kinds, type Kind, type Page, type Reader, type SourceRows, type TargetOf } from '#importer/server/source.ts'
import { acceptAnswers } from '#importer/server/write/accepted.ts'
import { closedMember } from '#importer/server/write/authors.ts'
import { writeComments } from '#importer/server/write/comments.ts'
import { bookCredits } from '#importer/server/write/credits.ts'
import { prepareFiles, writeFiles } from '#importer/server/write/files.ts'
import { insertWithIds, reserveIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { linkLater } from '#importer/server/write/later-links.ts'
import * as marks from '#importer/server/write/marks.ts'
import { prepareMembers, writeMembers } from '#importer/server/write/members.ts'
import { writeMessages } from '#importer/server/write/messages.ts'
import { freeNames } from '#importer/server/write/names.ts'
import { prepareTags, writeGroups, writeTags } from '#importer/server/write/tags.ts'
import { writeThreads } from '#importer/server/write/threads.ts'
import { idsStay, keepIds } from '#importer/server/kept-ids.ts'
import { assertSameCommunity } from '#importer/server/same-community.ts'
import { notesOf } from '#importer/server/notes.ts'
import { importsTag } from '#importer/server/old-address.ts'
import { withOwner } from '#importer/server/owner.ts'
import { heatOf } from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

export type ImportRequest = {
  database: Database
  ownerUrl: string
  reader: Reader
  targetOf: TargetOf
  mapping: Mapping
  report(kind: Kind | 'credits' | 'heat', done: number, total: number): void
}

/**
 * Brings a community here, or what came to it since the last time. Each page of rows is one transaction with its cursor, so that a run that ends
 * anywhere goes on there, and nothing comes twice. Returns the id of the import.
 */
export function runImport(request: ImportRequest): Promise<string> {
  return withOwner(request, (database) => runAsOwner(request, database))
}

async function runAsOwner(request: ImportRequest, database: Database): Promise<string> {
  const { reader, report } = request
  await assertSameCommunity(database.app, reader)
  const context = await begin(request, database)
  const upto = await reader.marks()
  for (const kind of kinds) await runStage(context, kind, upto[kind] ?? '', report)
  await linkLater(context)
  await bookCredits(context, (done) => report('credits', done, 0))
  await setHeat(database, context.importId)
  await transact(database, async (tx) => {
    await tx
      .updateTable('import')
      .set({ finished_at: sql`clock_timestamp()` })
      .where('id', '=', context.importId)
      .execute()
    invalidate(tx, 'everything', 'tags', 'role', importsTag)
  })
  return context.importId
}

/** The import that this run goes on with, or a new one. */
async function begin({ reader, targetOf, mapping }: ImportRequest, database: Database): Promise<ImportContext> {
  const its = await transact(database, async (tx) => {
    const staff = await tx
      .selectFrom('staff')
      .select(['id', 'speaks_as'])
      .where('disabled_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!staff) throw new CannotStart('This forum has no staff yet. Start it once with npm start, then import.')
    await sql`select pg_advisory_xact_lock(hashtext('import'))`.execute(tx)
    const there = await tx
      .selectFrom('import')
      .select(['id', 'guest_id', 'address_rules'])
      .where('program', '=', reader.program)
      .where('undone_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    const by = { staffId: staff.id, officialId: staff.speaks_as }
    if (there?.guest_id) return { ...by, importId: there.id, guestId: there.guest_id, keepsIds: idsStay(there.address_rules) }
    for (const [table, highest] of Object.entries(reader.highestIds ?? {})) await beginIdsAbove(tx, table, highest)
    const keepsIds = await keepIds(tx, reader)
    const guest = await addGuest(tx, mapping)
    const row = {
      program: reader.program,
      title: reader.title,
      origins: [...reader.origins],
      address_rules: JSON.stringify({ ...reader.addressRules, ...(keepsIds && { ids: 'stay' }) }),
      mapping: JSON.stringify(mapping),
      guest_id: guest,
    }
    const { id } = await tx.insertInto('import').values(row).returning('id').executeTakeFirstOrThrow()
    return { ...by, importId: id, guestId: guest, keepsIds }
  })
  return { ...its, database, reader, targetOf, mapping, now: new Date(), note: () => undefined }
}

/** What comes to the old forum until it is closed has ids in between. */
async function beginIdsAbove(tx: Db, table: string, highest: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`
  await sql`select setval(${sequence}, greatest(nextval(${sequence}), ${`1${'0'.repeat(highest.length + 1)}`}::bigint))`.execute(tx)
}

async function addGuest(tx: Db, mapping: Mapping): Promise<string> {
  const [id = ''] = await reserveIds(tx, 'member', 1)
  const [name = ''] = await freeNames(tx, [mapping.language === 'zh' ? '访客' : 'Guest'])
  await insertWithIds(tx, 'member', [closedMember({ now: new Date(), mapping }, id, name)])
  return id
}

type Stage = { since: string | null; upto: string; cursor: string | null; done: number }

async function runStage(context: ImportContext, kind: Kind, mark: string, report: ImportRequest['report']): Promise<void> {
  const { database, importId, reader } = context
  const stage = await transact(database, (tx) => beginStage(tx, importId, kind, mark))
  const total = await reader.count(kind)
  let { done, cursor } = stage
  for await (const page of reader.rows[kind]({ after: stage.cursor, since: stage.since, upto: stage.upto })) {
    report(kind, done, Math.max(total, done))
    await writePage(context, kind, { page, after: cursor })
    cursor = page.cursor
    done += page.rows.length
  }
  report(kind, done, done)
  await transact(database, (tx) => endStage(tx, importId, kind))
}

/** Goes on where the stage was; one that is finished begins anew with what came since. */
async function beginStage(tx: Db, importId: string, kind: Kind, upto: string): Promise<Stage> {
  const there = await tx
    .selectFrom('import_stage')
    .selectAll()
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (there && !there.finished_at) return { ...there, done: Number(there.done) }
  // A kind without a mark is read whole once more.
  const done = there && there.upto !== '' ? Number(there.done) : 0
  const stage = { since: there ? there.upto || null : null, upto, cursor: null, finished_at: null, done: String(done) }
  await tx
    .insertInto('import_stage')
    .values({ import_id: importId, kind, ...stage })
    .onConflict((conflict) => conflict.columns(['import_id', 'kind']).doUpdateSet(stage))
    .execute()
  return { ...stage, done: 0 }
}

async function endStage(tx: Db, importId: string, kind: Kind): Promise<void> {
  await tx
    .updateTable('import_stage')
    .set({ finished_at: sql`clock_timestamp()` })
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .execute()
  invalidate(tx, 'everything', 'tags', 'role')
}

type NextPage<T> = { page: Page<T>; /** The cursor of the page before it. */ after: string | null }

async function writePage<K extends Kind>(context: ImportContext, kind: K, { page, after }: NextPage<SourceRows[K]>): Promise<void> {
  const notes = notesOf()
  const within = { ...context, note: notes.add }
  const write = await prepared[kind](within, page.rows)
  notes.keep()
  await transact(context.database, async (tx) => {
    notes.rewind()
    // A crash takes back whole pages with their cursors. The last commit of a run is a durable one.
    await sql`set local synchronous_commit = off`.execute(tx)
    await lockStage(tx, context, kind, after)
    if (page.rows.length > 0) await write(tx)
    await notes.save(tx, context.importId)
    await tx
      .updateTable('import_stage')
      .set((row) => ({ cursor: page.cursor, done: row('done', '+', String(page.rows.length)) }))
      .where('import_id', '=', context.importId)
      .where('kind', '=', kind)
      .execute()
  })
}

/** Refuses where another process has written the page meanwhile: it would come twice. */
async function lockStage(tx: Db, { importId }: ImportContext, kind: Kind, after: string | null): Promise<void> {
  const { cursor } = await tx
    .selectFrom('import_stage')
    .select('cursor')
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (cursor !== after) throw new CannotStart('Another import of this community is at work. Let it end, or end it and begin again.')
}

type Write = (tx: Db) => Promise<void>
type Prepare<T> = (context: ImportContext, rows: readonly T[]) => Promise<Write>

const atOnce =
  <T>(write: (tx: Db, context: ImportContext, rows: readonly T[]) => Promise<void>): Prepare<T> =>
  async (context, rows) =>
  (tx) =>
    write(tx, context, rows)

const prepared: { [K in Kind]: Prepare<SourceRows[K]> } = {
  groups: atOnce(writeGroups),
  async tags(context, rows) {
    const ready = await prepareTags(context, rows)
    return (tx) => writeTags(tx, context, ready)
  },
  async members(context, rows) {
    const ready = await prepareMembers(context, rows)
    return (tx) => writeMembers(tx, context, ready)
  },
  async files(context, rows) {
    const ready = await prepareFiles(context, rows)
    return (tx) => writeFiles(tx, context, ready)
  },
  threads: atOnce(writeThreads),
  moved: atOnce(marks.writeMoved),
  comments: atOnce(writeComments),
  accepted: atOnce(acceptAnswers),
  votes: atOnce(marks.writeVotes),
  unlocks: atOnce(marks.writeUnlocks),
  likes: atOnce(marks.writeLikes),
  favourites: atOnce(marks.writeFavourites),
  follows: atOnce(marks.writeFollows),
  readPositions: atOnce(marks.writeReadPositions),
  messages: atOnce(writeMessages),
}

const topicsPerStep = 5_000

/** The heat of topics that came along, which the lists order by. */
async function setHeat(database: Database, importId: string): Promise<void> {
  const heat = heatOf(await setting.all(database.app))
  for (let after = '0'; ;) {
    const { rows } = await sql<{ id: string }>`
      select id from (select new_id::bigint as id from import_row where import_id = ${importId} and kind = 'thread') as thread
      where id > ${after}::bigint order by id limit ${topicsPerStep}`.execute(database.app)
    const last = rows.at(-1)
    if (!last) return
    const ids = rows.map(({ id }) => id)
    await transact(database, (tx) => tx.updateTable('topic').set({ heat }).where('id', '=', anyOf(ids)).executeTakeFirst())
    after = last.id
  }
}
