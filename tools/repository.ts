import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folderOf, order } from '../features/order.js'

const root = new URL('../', import.meta.url)
const notOurs = new Set(['.git', '.ci', 'node_modules', 'dist', 'data', 'coverage', 'tools/runtime'])

/** Every file of the repository, by its path from the root, without installed, built and stored ones. */
export function files(pattern: RegExp): string[] {
  return [...walk('')].filter((path) => pattern.test(path))
}

function* walk(folder: string): Iterable<string> {
  for (const entry of readdirSync(new URL(folder, root), { withFileTypes: true })) {
    const path = folder + entry.name
    if (notOurs.has(path)) continue
    if (entry.isDirectory()) yield* walk(`${path}/`)
    else if (entry.isFile()) yield path
  }
}

export function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

export function addressOf(path: string): string {
  return fileURLToPath(new URL(path, root))
}

/** The names of the folders in a folder. */
export function foldersIn(path: string): string[] {
  return readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

/** The file as code imports it: `#comment/server/list.ts`. */
export function imported(path: string): string {
  return `#${path.replace(/^features\/[^/]+\/(?=[^/]+\/)/, '')}`
}

/** The path of a file from the root, by its name in an import. */
export function pathOf(specifier: string): string {
  const [name = ''] = specifier.slice(1).split('/')
  return (folderOf(name) ?? name) + specifier.slice(1 + name.length)
}

/** Program files without tests. */
export function program(pattern = /\.tsx?$/): string[] {
  return files(pattern).filter((path) => /^(apps|base|features)\//.test(path) && !/\.test\.tsx?$|^base\/testing\//.test(path))
}

export type Words = { name: string; folder: string; en: Record<string, unknown>; zh: Record<string, unknown> }

/** The catalogues of base and of every feature, by the name used in code. */
export function allWords(): Words[] {
  const base = foldersIn('base/words').map((name) => ({ name, folder: `base/words/${name}` }))
  const features = order.flatMap((name) => [
    { name: camel(name), folder: `${folderOf(name)}/words` },
    { name: `${camel(name)}Admin`, folder: `${folderOf(name)}/admin/words` },
  ])
  const all = [...base, ...features].map((words) => ({
    ...words,
    en: wordsIn(`${words.folder}/en.json`),
    zh: wordsIn(`${words.folder}/zh.json`),
  }))
  return all.filter(({ en, zh }) => Object.keys({ ...en, ...zh }).length > 0)
}

function wordsIn(path: string): Record<string, unknown> {
  return existsSync(new URL(path, root)) ? JSON.parse(textOf(path)) : {}
}

/** The name of a feature in code and in the keys of its words: `redEnvelope`. */
export function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
