import type { Language } from '#base/server/words.ts'

type Chunk = { file: string; css?: string[]; imports?: string[] }
export type Manifest = Record<string, Chunk>

type Wanted = { screen: string | null; language: Language; allWords: boolean }
type Files = { scripts: string[]; styles: string[]; preloads: string[]; theme: string }

const entry = 'apps/web/browser.tsx'

/** The scripts and styles that a page needs, all of them, so that none waits for another. */
export function filesOf(manifest: Manifest, { screen, language, allWords }: Wanted): Files {
  const start = manifest[entry]
  const page = screen ? manifest[new URL(screen, 'file:///apps/web/').pathname.slice(1)] : undefined
  const needed = new Map<string, Chunk>()
  const words = [`virtual:words/${language}`, ...(allWords ? [`virtual:words/${language}/more`] : [])].map((name) => manifest[name])
  for (const chunk of [start, page, ...words]) if (chunk) gather(manifest, chunk, needed)
  const chunks = [...needed.values()]
  return {
    scripts: start ? [`/${start.file}`] : [],
    preloads: chunks.filter((chunk) => chunk !== start).map((chunk) => `/${chunk.file}`),
    styles: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))].map((file) => `/${file}`),
    theme: `/${manifest['apps/web/theme.ts']?.file ?? ''}`,
  }
}

function gather(manifest: Manifest, chunk: Chunk, needed: Map<string, Chunk>): void {
  if (needed.has(chunk.file)) return
  needed.set(chunk.file, chunk)
  for (const name of chunk.imports ?? []) {
    const its = manifest[name]
    if (its) gather(manifest, its, needed)
  }
}
