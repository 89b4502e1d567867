import type { Language } from '#base/server/words.ts'

type Chunk = { file: string; css?: string[]; imports?: string[] }
export type Manifest = Record<string, Chunk>

type PageFiles = { scripts: string[]; styles: string[]; preloads: string[]; theme: string; asPhone: string }
type PageRequest = { screens: readonly string[]; language: Language; allWords: boolean }
type NeededFiles = {
  /** The chunk that starts the app. */
  entry: string
  /** Other chunks needed at once. */
  parts: readonly string[]
  /** The path of the files on the site. */
  base: string
}

/** The files of a members' page; without screens, those of every page. */
export function pageFiles(manifest: Manifest, { screens, language, allWords }: PageRequest): PageFiles {
  const page = screens.map((file) => file.slice(1))
  const words = [`virtual:words/${language}`, ...(allWords ? [`virtual:words/${language}/more`, 'apps/web/rare-screens.ts'] : [])]
  return filesOf(manifest, { entry: 'apps/web/browser.tsx', parts: [...page, ...words], base: '/' })
}

/** The files of the staff's app. */
export function staffFiles(manifest: Manifest, language: Language): PageFiles {
  return filesOf(manifest, { entry: 'apps/admin/browser.tsx', parts: [`virtual:words/${language}/all`], base: '/admin/' })
}

/** All scripts and styles at once, so that none waits for another. */
function filesOf(manifest: Manifest, { entry, parts, base }: NeededFiles): PageFiles {
  const start = manifest[entry]
  const needed = new Map<string, Chunk>()
  for (const name of [entry, ...parts]) if (manifest[name]) collectChunks(manifest, manifest[name], needed)
  const chunks = [...needed.values()]
  return {
    scripts: start ? [base + start.file] : [],
    preloads: chunks.filter((chunk) => chunk !== start).map((chunk) => base + chunk.file),
    styles: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))].map((file) => base + file),
    theme: base + (manifest['apps/web/theme.ts']?.file ?? ''),
    asPhone: base + (manifest['apps/web/as-phone.ts']?.file ?? ''),
  }
}

function collectChunks(manifest: Manifest, chunk: Chunk, needed: Map<string, Chunk>): void {
  if (needed.has(chunk.file)) return
  needed.set(chunk.file, chunk)
  for (const name of chunk.imports ?? []) {
    const chunk = manifest[name]
    if (chunk) collectChunks(manifest, chunk, needed)
  }
}
