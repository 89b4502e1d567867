import { insertRows, type Database } from '#base/server/database/database.ts'
import { checkImport } from '#importer/server/check.ts'
import { saveCheck } from '#importer/server/list.ts'
import { importerOf } from '#importer/server/programs.ts'
import { realSource } from '#importer/testing/real-source.ts'

/** Checks of the boards of real programs, and imports in each state. */
export async function someImports(database: Database): Promise<void> {
  const { app } = database
  for (const program of ['phpbb', 'discuz'] as const) {
    const reader = await importerOf(program).open(realSource(program))
    await saveCheck(app, (await checkImport(database, reader)).check)
    await reader.close()
  }
  const usual = { origins: [], address_rules: '{}', mapping: '{}', finished_at: null, undone_at: null }
  // The undone one has no stages.
  const [done, , under] = await insertRows(app, 'import', [
    { ...usual, program: 'nodebb', title: 'The old teahouse by the river', finished_at: new Date() },
    { ...usual, program: 'phpbb', title: 'Tried once', undone_at: new Date() },
    { ...usual, program: 'discuz', title: '老茶馆' },
  ])
    .returning('id')
    .execute()
  await insertRows(app, 'import_stage', [
    ...['tags', 'members', 'threads', 'comments'].map((kind, place) => stageOf(done?.id, kind, 12_345 * (place + 1), new Date())),
    ...['tags', 'members'].map((kind) => stageOf(under?.id, kind, 4_711, new Date())),
    stageOf(under?.id, 'threads', 812_000, null),
  ]).execute()
  const samples = ['forum/202601/05/a_long_name_without_any_place_to_break_it.jpg', 'forum/202601/06/b.jpg']
  await insertRows(app, 'import_note', [
    { import_id: done?.id ?? '', note: 'file that is missing', count: '1204', samples },
    { import_id: done?.id ?? '', note: 'color', count: '88', samples: ['12', '15'] },
  ]).execute()
}

function stageOf(importId: string | undefined, kind: string, done: number, finished_at: Date | null) {
  return { import_id: importId ?? '', kind, upto: '', done: String(done), finished_at }
}
