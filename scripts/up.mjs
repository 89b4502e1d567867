// From a clone to a running program, on any Node from 18: finds or fetches a newer Node, installs, builds, runs.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alone } from './alone.mjs'
import { fetchNode, findNode } from './node.mjs'
import { areInstalled, install } from './packages.mjs'
import { areBuilt, areCompressed, buildPages, compressPages } from './pages.mjs'
import { serve, starter, useTool } from './program.mjs'
import { serveAndRestart } from './restart.mjs'
import { Halt } from './step.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = join(root, 'tools/runtime/lock')

// Without the legacy accessor, a key `__proto__` in input is a key like any other.
const hardened = '--disable-proto=delete'
// Requests leave little memory behind. On a large machine Node would otherwise let garbage grow to gigabytes.
const frugal = ['--max-semi-space-size=8', '--max-old-space-size=1024']

const tasks = {
  start: { program: [hardened, ...frugal, 'apps/server/main.ts'], run: serve, mode: 'production', pages: true },
  // For a user who may not write here. The empty program makes what programs hold while they run.
  build: { program: ['--eval', ''], run: useTool, mode: 'production', pages: true },
  dev: {
    program: [hardened, 'apps/server/main.ts', '--dev'],
    run: (start) => serveAndRestart(root, start),
    mode: 'development',
    development: true,
  },
  teahouse: { program: [...frugal, 'apps/server/teahouse.ts'], run: useTool, mode: 'production' },
  bench: { program: [hardened, ...frugal, 'bench/run.ts'], run: useTool, mode: 'production', pages: true },
  test: { program: ['tools/test.ts'], run: useTool, development: true },
  check: { program: ['tools/check.ts'], run: useTool, development: true },
  tables: { program: ['tools/make-tables.ts'], run: useTool, development: true },
  pictures: { program: ['tools/make-pictures.ts'], run: useTool, development: true, pages: true },
}

try {
  const [name = 'start', ...words] = process.argv.slice(2)
  const task = Object.hasOwn(tasks, name) ? tasks[name] : null
  if (!task) throw new Halt(`"${name}" is not something to do. There are ${Object.keys(tasks).join(', ')}.`)
  const { node, rest } = await prepare(task)
  const start = starter(node, ['--import', './scripts/hold-packages.mjs', ...task.program, ...words], { cwd: root, env: environment(task) })
  process.exitCode = await task.run(start, rest)
} catch (error) {
  if (!(error instanceof Halt)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/**
 * Prepares the task, and returns the Node to run it with, and the rest, which a server need not wait for. Writes nothing if all is ready.
 */
async function prepare(task) {
  const development = task.development ?? false
  const found = findNode(root)
  const isInstalled = found && areInstalled(root, { development })
  const node = isInstalled ? found : await alone(lock, () => installAll({ development }))
  if (!task.pages || (areBuilt(root) && areCompressed(root))) return { node }
  const rest = restOf(node)
  if (task.run === serve) return { node, rest }
  await rest.prepare()
  await rest.finish()
  return { node }
}

function restOf(node) {
  return {
    prepare: () => alone(lock, async () => areBuilt(root) || (await buildPages(root, node))),
    finish: (signal) =>
      alone(lock, () => compressPages(root, { signal })).catch((error) =>
        console.error(`The pages were not compressed, so browsers load more: ${error.message}`),
      ),
  }
}

async function installAll({ development }) {
  const node = findNode(root) ?? (await fetchNode(root))
  if (!areInstalled(root, { development })) await install(root, node, { development })
  return node
}

// The task decides: pages built for production cannot be rendered by a development server, and tests set their own mode.
function environment({ mode }) {
  const { NODE_ENV: _, ...env } = process.env
  // The compile cache of Node: the next start compiles nothing again.
  const compiled = join(root, 'node_modules/.cache/compiled')
  // The allocator of glibc would keep an arena per thread, and return little memory.
  const ours = { NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: '2', ...env }
  return mode ? { ...ours, NODE_ENV: mode } : ours
}
