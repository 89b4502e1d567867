import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, step } from './step.mjs'

const sources = ['apps/web', 'apps/admin', 'base', 'features', 'vite.config.ts', 'vite.admin.config.ts', 'package-lock.json']

/** True when the pages were built from the sources as they are now. */
export function areBuilt(root) {
  return existsSync(markOf(root)) && readFileSync(markOf(root), 'utf8') === fingerprint(root)
}

/** Builds what the browser loads, and what the server renders pages with. */
export async function buildPages(root, node) {
  await step('Building the pages', async () => {
    const before = fingerprint(root)
    rmSync(markOf(root), { force: true })
    const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
    const how = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } }
    const builds = [[], ['--ssr', 'apps/web/server.tsx'], ['--config', 'vite.admin.config.ts']]
    await Promise.all(builds.map((flags) => run(node, [...vite, ...flags], how)))
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(markOf(root), before)
  })
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

function markOf(root) {
  return join(root, 'dist/.built')
}
