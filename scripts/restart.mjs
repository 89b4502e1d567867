import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf, passOnStops } from './program.mjs'

const roots = ['apps/server', 'base', 'database', 'features']
// Browser files in these folders are reloaded by Vite without a restart.
const foreign = /^(web|admin|testing|sample)$/

/** Runs a server, and restarts it when one of its files changes. Returns the exit code after a stop signal. */
export async function serveAndRestart(root, start) {
  let child = null
  let isStopping = false
  let changed = () => {}
  passOnStops((signal) => {
    isStopping = true
    child?.kill(signal)
    changed()
  })
  for (;;) {
    const change = new Promise((resolve) => (changed = resolve))
    const unwatch = watchSources(root, changed)
    child = start({ detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
    const end = exitCodeOf(child)
    const isChange = await Promise.race([change.then(() => true), end.then(() => false)])
    if (isChange && !isStopping) endSoon(child, end)
    const code = await end
    if (!isStopping && !isChange) {
      console.log(`The server ended (code ${code}). It starts again when a file changes.`)
      await change
    }
    unwatch()
    if (isStopping) return code
    console.log('A file of the server changed. Starting it again.')
  }
}

// Open pages keep connections that a developer does not want to wait for.
function endSoon(child, end) {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
  void end.then(() => clearTimeout(timer))
}

function watchSources(root, changed) {
  let timer
  // Editors write a file in several steps, and tools several files.
  const soon = (_, name) => {
    if (!/\.(ts|js|json|sql)$/.test(name ?? '') || name.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(changed, 150)
  }
  const watchers = roots
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => foldersIn(join(root, folder)))
    .map((folder) => watch(folder, soon))
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

function foldersIn(folder) {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !foreign.test(entry.name))
  return [folder, ...inside.flatMap((entry) => foldersIn(join(folder, entry.name)))]
}
