import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { pageFiles, type Manifest } from '#apps/server/built-files.ts'

const folder = 'dist/web'
const pages = { '/index': './screens/index.tsx', '/thread': './screens/thread.tsx' }
const languages = ['zh', 'en'] as const

type Weight = { requests: number; raw: number; gzip: number; brotli: number }

/** What a first visit of the two pages loads beside the page itself: file by file, as it travels. */
export function printFirstLoad(): void {
  const manifest: Manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'))
  for (const [page, screen] of Object.entries(pages)) {
    for (const language of languages) {
      const { theme, scripts, preloads, styles } = pageFiles(manifest, { screens: [screen], language, allWords: false })
      const code = [theme, ...scripts, ...preloads]
      console.log(`\nFirst load of ${page} in ${language}, kB`)
      console.table(table([...code, ...styles], { JavaScript: code, CSS: styles }))
    }
  }
}

function table(files: readonly string[], sums: Record<string, readonly string[]>): Record<string, Record<string, string | number>> {
  const rows = [
    ...files.map((file) => [file, weigh([file])] as const),
    ...Object.entries(sums).map(([name, all]) => [name, weigh(all)] as const),
  ]
  return Object.fromEntries(
    rows.map(([name, { requests, raw, gzip, brotli }]) => [
      name.replace('/assets/', ''),
      { requests, raw: kilo(raw), gzip: kilo(gzip), brotli: kilo(brotli) },
    ]),
  )
}

function weigh(files: readonly string[]): Weight {
  const sum: Weight = { requests: files.length, raw: 0, gzip: 0, brotli: 0 }
  for (const file of files) {
    const bytes = readFileSync(folder + file)
    sum.raw += bytes.length
    sum.gzip += sent(file, 'gz', bytes, gzipSync)
    sum.brotli += sent(file, 'br', bytes, brotliCompressSync)
  }
  return sum
}

// The smallest files have no compressed copy, and travel as they are.
function sent(file: string, ending: string, bytes: Buffer, compress: (bytes: Buffer) => Buffer): number {
  const copy = `${folder}${file}.${ending}`
  return existsSync(copy) ? readFileSync(copy).length : Math.min(bytes.length, compress(bytes).length)
}

function kilo(bytes: number): string {
  return (bytes / 1000).toFixed(2)
}

if (import.meta.main) printFirstLoad()
