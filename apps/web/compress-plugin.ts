import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const worth = /\.(js|css|svg)$/
const smallest = 600

/** Writes a gzip copy of each built file that benefits, so that none is compressed during a request. `scripts/pages.mjs` adds Brotli. */
export function compress(): Plugin {
  let folder = ''
  return {
    name: 'teahouse-compress',
    apply: 'build',
    configResolved: (config) => void (folder = config.build.ssr ? '' : config.build.outDir),
    writeBundle() {
      if (!folder) return
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => worth.test(name))) {
        const bytes = readFileSync(join(folder, file))
        if (bytes.length < smallest) continue
        writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
