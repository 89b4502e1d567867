import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { run, step } from './step.mjs'

const sources = ['apps/web', 'apps/admin', 'base', 'features', 'vite.config.ts', 'vite.admin.config.ts', 'package-lock.json']

/** True if the pages were built from the current sources. */
export function areBuilt(root) {
  return existsSync(markOf(root)) && readFileSync(markOf(root), 'utf8') === fingerprint(root)
}

/** Builds the browser's files and the server's renderer. */
export async function buildPages(root, node) {
  await step('Building the pages', async () => {
    const before = fingerprint(root)
    for (const mark of [markOf(root), compressedMarkOf(root)]) rmSync(mark, { force: true })
    const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
    const how = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } }
    const builds = [[], ['--ssr', 'apps/web/server.tsx'], ['--config', 'vite.admin.config.ts']]
    await Promise.all(builds.map((flags) => run(node, [...vite, ...flags], how)))
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(markOf(root), before)
  })
}

export function areCompressed(root) {
  return existsSync(compressedMarkOf(root))
}

/**
 * Writes a brotli copy of each file that has a gzip one. This takes longer than the build, so it runs while the forum answers already,
 * until the signal aborts.
 */
export async function compressPages(root, { signal } = {}) {
  for (const file of ['dist/web', 'dist/admin'].flatMap((folder) => filesIn(root, folder)).filter((name) => name.endsWith('.gz'))) {
    if (signal?.aborted) return
    const [plain, target] = [join(root, file.slice(0, -'.gz'.length)), join(root, file.replace(/gz$/, 'br'))]
    if (existsSync(target)) continue
    // Renamed when complete, because it may be requested at any moment.
    writeFileSync(`${target}.new`, await promisify(brotliCompress)(readFileSync(plain)))
    renameSync(`${target}.new`, target)
  }
  writeFileSync(compressedMarkOf(root), '')
}

// By content: a checkout gives every file a new time.
function fingerprint(root) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(root, source)))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function filesIn(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found && !/\.test\.tsx?$|^base\/testing\//.test(path) ? [path] : []
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`))
}

function compressedMarkOf(root) {
  return join(root, 'dist/.compressed')
}

function markOf(root) {
  return join(root, 'dist/.built')
}
