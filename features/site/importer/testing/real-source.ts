import { dumpFolder } from '#importer/testing/dump-file.ts'
import { keysFromRedis, writeDump } from '#importer/testing/nodebb-keys.ts'
import { dumpOf, type RowsOf } from '#importer/testing/source-rows.ts'
import type { SourceOptions } from '#importer/server/programs.ts'

export type RealProgram = RowsOf | 'nodebb'

const files = new URL('rows/', import.meta.url).pathname

/** Where the rows of a real board are read: a dump, and the folder of its files. */
export function realSource(program: RealProgram): SourceOptions {
  const folder = dumpFolder()
  const from = program === 'nodebb' ? writeDump(folder.path, keysFromRedis()) : folder.write(`${program}.sql`, dumpOf(program))
  return { from, files, password: '', prefix: undefined, charset: undefined, origin: undefined }
}
