import type { Answer } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { ImportCheck, type importList, type ImportView } from '#importer/contract.ts'
import { withoutWords } from '#importer/server/notes.ts'
import { kinds } from '#importer/server/source.ts'

/** Keeps the check of a program in place of its last one. */
export async function saveCheck(db: Db, check: ImportCheck): Promise<void> {
  const row = { result: JSON.stringify(check), checked_at: new Date() }
  await db
    .insertInto('import_check')
    .values({ program: check.program, ...row })
    .onConflict((conflict) => conflict.column('program').doUpdateSet(row))
    .execute()
}

const maxImports = 20

export async function list(db: Db): Promise<Answer<typeof importList>> {
  const [checks, imports] = [
    await db.selectFrom('import_check').selectAll().orderBy('checked_at', 'desc').execute(),
    await db.selectFrom('import').selectAll().orderBy('id', 'desc').limit(maxImports).execute(),
  ]
  const ids = imports.map(({ id }) => id)
  const [stages, notes] = [await stagesOf(db, ids), await notesOf(db, ids)]
  return {
    // A check by another version may be of another form: it is made anew.
    checks: checks.flatMap(({ checked_at, result }) => {
      const { data } = ImportCheck.safeParse(result)
      return data ? [{ at: checked_at.toISOString(), check: data }] : []
    }),
    imports: imports.map(({ id, program, title, began_at, finished_at, undone_at }) => {
      const its = stages.get(id) ?? []
      return {
        id,
        program,
        title,
        // The stages of an undone import are gone; a later run begins those of a finished one anew.
        state: undone_at ? 'undone' : finished_at && its.every(({ isFinished }) => isFinished) ? 'finished' : 'unfinished',
        beganAt: began_at.toISOString(),
        finishedAt: finished_at?.toISOString() ?? null,
        undoneAt: undone_at?.toISOString() ?? null,
        stages: its,
        notes: undone_at ? [] : (notes.get(id) ?? []),
      }
    }),
  }
}

async function stagesOf(db: Db, importIds: readonly string[]): Promise<Map<string, ImportView['stages']>> {
  const rows = await db
    .selectFrom('import_stage')
    .select(['import_id', 'kind', 'done', 'finished_at'])
    .where('import_id', '=', anyOf(importIds))
    .execute()
  const place = (kind: string) => kinds.findIndex((one) => one === kind)
  const ordered = rows.toSorted((one, other) => place(one.kind) - place(other.kind))
  const byImport = Map.groupBy(ordered, ({ import_id }) => import_id)
  return new Map(
    [...byImport].map(([id, its]) => [
      id,
      its.map(({ kind, done, finished_at }) => ({ kind, rows: Number(done), isFinished: finished_at !== null })),
    ]),
  )
}

async function notesOf(db: Db, importIds: readonly string[]): Promise<Map<string, ImportView['notes']>> {
  const rows = await db
    .selectFrom('import_note')
    .selectAll()
    .where('import_id', '=', anyOf(importIds))
    .orderBy('count', 'desc')
    .orderBy('note')
    .execute()
  const byImport = Map.groupBy(rows, ({ import_id }) => import_id)
  return new Map([...byImport].map(([id, its]) => [id, [...Map.groupBy(its, ({ note }) => withoutWords(note))].map(noteOf)]))
}

function noteOf([note, its]: [string, { count: string; samples: string[] }[]]): ImportView['notes'][number] {
  const count = its.reduce((total, one) => total + Number(one.count), 0)
  return { note, count, samples: its.flatMap(({ samples }) => samples).slice(0, 5) }
}
