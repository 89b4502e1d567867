import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth, type BulkSelection } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { paged } from '#base/server/database/paged.ts'
import { staff, type PrepareContext, type ClientInfo, type StaffActor, type Staff } from '#base/server/http/route.ts'
import * as audit from '#audit/server/audit.ts'
import {
  maxWordLength,
  maxWords,
  NoFile,
  sensitiveWords,
  TooManyWords,
  WordsTooBroad,
  type addSensitiveWords,
  type exportSensitiveWords,
  type importSensitiveWords,
} from '#sensitive-word/contract.ts'
import { broadWords } from '#sensitive-word/server/broad-words.ts'
import * as lists from '#sensitive-word/server/lists.ts'
import { keyOf } from '#sensitive-word/server/matching/matcher.ts'

const id = sql`sensitive_word.id`
const keys = { hits: { by: sql`sensitive_word.hits`, as: 'bigint' }, added: { by: id, as: 'bigint' } } as const

export async function list(db: Db, input: ParsedInput<typeof sensitiveWords>): Promise<Answer<typeof sensitiveWords>> {
  const query = filtered(db, input).select(['word', 'list_id as listId', 'hits', 'last_hit_at as lastHitAt'])
  const page = await paged(db, query, { ...input, keys, id })
  return { ...page, rows: page.rows.map((row) => ({ ...row, hits: Number(row.hits) })) }
}

function filtered(db: Db, { listId, word }: ParsedInput<typeof sensitiveWords>) {
  let query = db.selectFrom('sensitive_word').select('id')
  if (listId) query = query.where('list_id', '=', listId)
  if (word) query = query.where(sql<boolean>`starts_with(key, ${keyOf(word)})`)
  return query
}

type AddedCounts = Output<typeof addSensitiveWords>
type ParsedWords = { words: string[]; keys: string[]; skipped: number }

export async function prepareAdded({ db, input }: PrepareContext<ParsedInput<typeof addSensitiveWords>, Staff>): Promise<ParsedWords> {
  return prepare(db, input.words, input)
}

export async function prepareFile({
  db,
  input,
  upload,
}: PrepareContext<ParsedInput<typeof importSensitiveWords>, Staff>): Promise<ParsedWords> {
  if (!upload || upload.bytes.length === 0) throw NoFile()
  return prepare(db, upload.bytes.toString('utf8').replace(/^\ufeff/, ''), input)
}

const maxNamed = 5

async function prepare(db: Db, text: string, { takesBroad }: { takesBroad: boolean }): Promise<ParsedWords> {
  const parsed = await parseWords(text)
  const broad = takesBroad ? [] : await broadWords(db, parsed.words)
  if (broad.length === 0) return parsed
  const named = broad.slice(0, maxNamed).map(({ word, as }) => `${word} (${as})`)
  throw WordsTooBroad({ words: named.join(', '), count: broad.length })
}

/** Adds words to a list; with `replaces`, replaces all of them. */
export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { listId, replaces = false, ...given }: ParsedWords & { listId: string; replaces?: boolean },
): Promise<AddedCounts> {
  const before = await lists.lock(tx, listId)
  if (replaces) await tx.deleteFrom('sensitive_word').where('list_id', '=', listId).execute()
  const keptCount = replaces ? 0 : before.word_count
  const added = await insert(tx, listId, given)
  if (keptCount + added > maxWords) throw TooManyWords({ max: maxWords })
  await lists.markChanged(tx, by, listId)
  const action = replaces ? 'sensitiveWord.replaceAll' : 'sensitiveWord.add'
  await audit.note(tx, by, client, {
    action,
    about: `sensitiveList ${listId}`,
    before: { words: before.word_count },
    after: { words: keptCount + added },
  })
  return { added, known: given.words.length - added, skipped: given.skipped }
}

// The audit log names up to so many words.
const maxLogged = 200

export async function remove(tx: Db, by: Staff, client: ClientInfo, selection: BulkSelection): Promise<void> {
  const ids = await resolveSelection(tx, selection, (all) => filtered(tx, parseFilter(sensitiveWords, all)))
  staff('word.manage', { proved: ids.length > maxWithoutReauth })(by)
  const rows = await tx.deleteFrom('sensitive_word').where('id', '=', anyOf(ids)).returning(['list_id', 'word']).execute()
  if (rows.length === 0) throw Missing()
  const actions: audit.AuditEntry[] = []
  for (const listId of [...new Set(rows.map(({ list_id }) => list_id))].sort()) {
    await lists.markChanged(tx, by.staff, listId)
    const removed = rows.filter(({ list_id }) => list_id === listId).map(({ word }) => word)
    const words = removed.length > maxLogged ? removed.length : removed
    actions.push({ action: 'sensitiveWord.remove', about: `sensitiveList ${listId}`, before: { words } })
  }
  await audit.noteAll(tx, by.staff, client, actions)
}

export async function exportWords(db: Db, listId: string): Promise<Output<typeof exportSensitiveWords>> {
  const found = await db.selectFrom('sensitive_list').select('name').where('id', '=', listId).executeTakeFirst()
  if (!found) throw Missing()
  const rows = await db.selectFrom('sensitive_word').select('word').where('list_id', '=', listId).orderBy('id').execute()
  return { name: found.name, text: rows.map(({ word }) => `${word}\n`).join('') }
}

const rowsPerInsert = 10_000

/** Inserts words that are new to the list; in small chunks, to stay below the statement timeout. */
async function insert(tx: Db, listId: string, { words, keys }: ParsedWords): Promise<number> {
  let added = 0
  for (let from = 0; from < words.length; from += rowsPerInsert) {
    const [some, theirs] = [words.slice(from, from + rowsPerInsert), keys.slice(from, from + rowsPerInsert)]
    const { numAffectedRows } = await sql`
      insert into sensitive_word (list_id, word, key)
      select ${listId}, word, key from unnest(${some}::text[], ${theirs}::text[]) as given(word, key)
      on conflict do nothing`.execute(tx)
    added += Number(numAffectedRows ?? 0)
  }
  return added
}

const wordsPerTurn = 2_000

/** The words of a text, one per line; a line that begins with # is a comment. */
async function parseWords(text: string): Promise<ParsedWords> {
  const lines = text
    .replaceAll('\0', '')
    .toWellFormed()
    .split(/\r\n|\r|\n/)
  if (lines.length > maxWords + 1_000) throw TooManyWords({ max: maxWords })
  const found = new Map<string, string>()
  let skipped = 0
  for (const [at, line] of lines.entries()) {
    if (at % wordsPerTurn === wordsPerTurn - 1) await breathe()
    const word = line.trim()
    if (word === '' || word.startsWith('#')) continue
    const key = word.length > maxWordLength ? '' : keyOf(word)
    if (key === '') skipped++
    else if (!found.has(key)) found.set(key, word)
  }
  return { words: [...found.values()], keys: [...found.keys()], skipped }
}
