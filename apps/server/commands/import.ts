import { readFile, writeFile } from 'node:fs/promises'
import { checkBooksAt } from '#apps/server/check-books.ts'
import { pathOf, type Arguments, type Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { progressOf } from '#apps/server/commands/rate.ts'
import type { Store } from '#apps/server/store.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { openStorage } from '#file/server/storage.ts'
import * as importer from '#importer/server/importer.ts'
import { engineFor, openSearch } from '#search/server/engine-in-use.ts'
import { indexAll } from '#search/server/rebuild.ts'

export const importCommunity: Command = {
  name: 'import',
  usage: 'PROGRAM --from ADDRESS [--files FOLDER] [--check]',
  summary:
    'Brings a community from phpbb, discuz, nodebb, discourse, flarum, diyhi or teahouse, or what came to it since the last time. ADDRESS is mysql://user@host/database, redis:// or postgres:// likewise, a dump, or the folder of an export. With --check, only says what will come.',
  argumentCount: { min: 1, max: 1 },
  options: {
    from: { type: 'string' },
    files: { type: 'string' },
    check: { type: 'boolean' },
    mapping: { type: 'string' },
    'password-file': { type: 'string' },
    prefix: { type: 'string' },
    charset: { type: 'string' },
    origin: { type: 'string' },
  },
  async run({ words: [program = ''], options, ...ground }) {
    const { open, targetOf } = importer.importerOf(program)
    openStorage(ground.config)
    const reader = await open(await sourceIn(options))
    const mappingPath = pathOf(textOf(options['mapping']) ?? `import-${program}.json`)
    try {
      return await withForum(ground, async (store) => {
        const chosen = await mappingIn(mappingPath, store, reader)
        if (options['check'] === true) return check(store, reader, mappingPath)
        const mapping = chosen ?? (await usualMapping(store, reader, mappingPath))
        // Search is indexed meanwhile: an import waits for the database half of its time.
        let importId: string
        const indexer = openSearch({ ...ground, database: store.database })
        try {
          importId = await importer.runImport({ ...store, reader, targetOf, mapping, report: progressOf() })
        } finally {
          await indexer.stop()
        }
        return finish(ground, store, importId)
      })
    } finally {
      await reader.close()
    }
  },
}

/** Says what will come, here and on the page of staff. */
async function check({ database }: Store, reader: importer.Reader, mappingPath: string): Promise<string> {
  const found = await importer.checkImport(database, reader)
  await importer.saveCheck(database.app, found.check)
  const isNew = await writeNew(mappingPath, found.mapping)
  const choices = isNew
    ? `Your choices are in ${mappingPath}. See to them, then import without --check.`
    : `Your choices in ${mappingPath} stay.`
  return `${importer.checkText(found.check)}\n\n${choices}`
}

async function sourceIn(options: Arguments['options']): Promise<importer.SourceOptions> {
  const from = textOf(options['from'])
  if (from === undefined)
    throw new CannotStart('Say where the community is: --from mysql://user@host/database, or --from with the path of a dump.')
  const [files, passwordFile] = [textOf(options['files']), textOf(options['password-file'])]
  return {
    from: from.includes('://') ? from : pathOf(from),
    files: files === undefined ? null : pathOf(files),
    password: await importer.sourcePassword(process.env, passwordFile === undefined ? null : pathOf(passwordFile)),
    prefix: textOf(options['prefix']),
    charset: textOf(options['charset']),
    origin: textOf(options['origin']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Leaves a file of the operator's choices as it is. */
async function writeNew(path: string, mapping: importer.Mapping): Promise<boolean> {
  try {
    await writeFile(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new CannotStart(`The file ${path} cannot be written.`, { cause: error })
  }
}

async function usualMapping({ database }: Store, reader: importer.Reader, path: string): Promise<importer.Mapping> {
  const usual = await importer.usualMapping(database, reader)
  const names = Object.keys(usual.members).length
  if (names > 0)
    throw new CannotStart(
      `${names} members have names or e-mail addresses that members here have. Run with --check first, and see to ${path}.`,
    )
  return usual
}

/** The operator's choices; null where they made none. */
async function mappingIn(path: string, { database }: Store, reader: importer.Reader): Promise<importer.Mapping | null> {
  const written = await readFile(path, 'utf8').catch(() => null)
  if (written === null) return null
  const parsed = importer.mappingSchema.safeParse(jsonIn(path, written))
  const faults = parsed.success
    ? await importer.mappingFaults(database.app, reader, parsed.data)
    : parsed.error.issues.map(({ path: place, message }) => [...place, message].join(': '))
  if (parsed.success && faults.length === 0) return parsed.data
  throw new CannotStart([`The choices in ${path} are not right:`, ...faults.map((fault) => `  ${fault}`)].join('\n'))
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CannotStart(`The file ${path} is no JSON.`, { cause: error })
  }
}

/** Indexes what is left of what came, and checks the books with it. */
async function finish({ config }: Pick<Arguments, 'config'>, store: Store, importId: string): Promise<string> {
  const report = progressOf()
  await indexAll(store.database, engineFor(config), (done, of) => report('search', done, of))
  const breaches = await checkBooksAt(store.ownerUrl)
  const summary = await importer.importSummary(store.database.app, importId)
  return `${summary}\n${breaches.length === 0 ? 'The books of points and balance are right.' : breaches.map(({ check, what }) => `${what}: ${check}`).join('\n')}`
}

export const undoImport: Command = {
  name: 'import undo',
  usage: 'PROGRAM',
  summary: 'Removes all that an import brought, while none of its members has logged in.',
  argumentCount: { min: 1, max: 1 },
  async run({ words: [program = ''], ...ground }) {
    const { removed } = await withForum(ground, (store) => importer.undoImport(store, importer.importerOf(program).program))
    return `The import is undone: ${removed} rows are gone.`
  },
}
