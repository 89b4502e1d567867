import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openStore, type Store } from '#apps/server/store.ts'
import { readConfig } from '#base/server/config.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'
import { checkImport } from '#importer/server/check.ts'
import { importerOf } from '#importer/server/programs.ts'
import { runImport } from '#importer/server/run.ts'
import type { RowsOf } from '#importer/testing/source-rows.ts'
import { engineFor, openSearch } from '#search/server/engine-in-use.ts'
import { indexAll } from '#search/server/rebuild.ts'
import { writeBoardDump } from './board-dump.ts'
import { fillInSets } from './fill.ts'

// An import of a made-up board from its dump, with search, beside the bulk fill of as many posts: posts a second, their ratio, and the memory
// of the process. Each runs in a process and a forum of its own.
const posts = Number(process.env['BENCH_POSTS'] ?? 100_000)
const programs: readonly RowsOf[] = ['phpbb', 'discuz']
// As for the operator's commands.
const frugal = ['--max-semi-space-size=8', '--max-old-space-size=1024']
const [step, dump = ''] = process.argv.slice(2)
if (step === undefined) await compare()
else await measure(step, dump)

type Measured = { seconds: number; megabytes: number; steps: Record<string, number> }

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-board-'))
  const only = process.env['BENCH_PROGRAM']
  try {
    const fill = await inProcess(['fill'])
    tell('bulk fill', fill, fill)
    for (const program of programs.filter((one) => only === undefined || one === only)) {
      const path = join(folder, `${program}.sql`)
      writeBoardDump(path, program, posts)
      console.log(`${program}: a dump of ${Math.round(statSync(path).size / 1e6)} MB`)
      tell(program, await inProcess([program, path]), fill)
      rmSync(path)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tell(name: string, { seconds, megabytes, steps }: Measured, fill: Measured): void {
  const ratio = fill.seconds / seconds
  console.log(
    `${name}: ${posts} posts in ${seconds.toFixed(1)} s, ${Math.round(posts / seconds)} a second, ratio ${ratio.toFixed(2)}, ${Math.round(megabytes)} MB`,
  )
  for (const [kind, took] of Object.entries(steps)) console.log(`  ${kind.padEnd(10)} ${took.toFixed(1)} s`)
}

async function inProcess(words: readonly string[]): Promise<Measured> {
  const child = spawn(process.execPath, [...frugal, import.meta.filename, ...words], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const measured = new Promise<Measured>((resolve) => child.once('message', (message) => resolve(message as Measured)))
  const [code] = await Promise.race([once(child, 'exit'), measured.then(() => once(child, 'exit'))])
  if (code !== 0) throw new Error(`The process of ${words[0]} ended with ${code}`)
  return measured
}

async function measure(what: string, path: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-bench-'))
  const config = { ...readConfig({ TEAHOUSE_DATA: dataDir }), development: false }
  const log = pino({ level: 'error' })
  const store = await openStore(config, log)
  try {
    await loadSealingKey({ config, db: store.database.app, log })
    await seedNewForum(store.database, config)
    await addFirstStaff(store.database)
    const began = performance.now()
    const steps = what === 'fill' ? await fillInSets(store, posts).then(() => ({})) : await importInto(store, what, path)
    process.send?.({
      seconds: (performance.now() - began) / 1000,
      megabytes: process.resourceUsage().maxRSS / 1024,
      steps,
    } satisfies Measured)
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The seconds of each step. */
async function importInto(store: Store, program: string, path: string): Promise<Record<string, number>> {
  const steps: Record<string, number> = {}
  let [name, began] = ['dump', performance.now()]
  const next = (step: string) => {
    if (step === name) return
    steps[name] = (performance.now() - began) / 1000
    ;[name, began] = [step, performance.now()]
  }
  const { open, targetOf } = importerOf(program)
  const config = readConfig({})
  const reader = await open({ from: path, files: null, password: '', prefix: undefined, charset: undefined, origin: undefined })
  try {
    next('check')
    const { mapping } = await checkImport(store.database, reader)
    const indexer = openSearch({ config, database: store.database, log: pino({ level: 'error' }) })
    await runImport({ ...store, reader, targetOf, mapping, report: next })
    next('search')
    await indexer.stop()
  } finally {
    await reader.close()
  }
  await indexAll(store.database, engineFor(config), () => undefined)
  next('end')
  return steps
}
