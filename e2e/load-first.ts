import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'

/** A request of a page, either during the load or while idle, with the compressed sizes of a script. */
export type PageRequest = { path: string; kind: string; isIdle: boolean; gzip: number; brotli: number }

const built = 'dist/web'

/** Opens an address as the first page and waits until it is idle, according to `rest`. */
export async function loadFirst(page: Page, address: string, rest: (page: Page) => Promise<void>): Promise<PageRequest[]> {
  const requests: Request[] = []
  const note = (request: Request) => void requests.push(request)
  page.on('request', note)
  await page.goto(address, { waitUntil: 'load' })
  const untilLoaded = requests.length
  await rest(page)
  page.off('request', note)
  return requests.map((request, at) => {
    const path = new URL(request.url()).pathname
    return { path, kind: request.resourceType(), isIdle: at >= untilLoaded, ...compressedSizes(path) }
  })
}

export function addUp(fetched: readonly PageRequest[]): { requests: number; gzip: number; brotli: number } {
  return {
    requests: fetched.length,
    gzip: fetched.reduce((sum, { gzip }) => sum + gzip, 0),
    brotli: fetched.reduce((sum, { brotli }) => sum + brotli, 0),
  }
}

function compressedSizes(path: string): { gzip: number; brotli: number } {
  if (!path.endsWith('.js')) return { gzip: 0, brotli: 0 }
  const bytes = readFileSync(built + path)
  // The smallest files have no compressed copy and are sent uncompressed.
  const isSent = existsSync(`${built}${path}.gz`)
  return {
    gzip: isSent ? gzipSync(bytes, { level: 9 }).length : bytes.length,
    brotli: isSent ? brotliCompressSync(bytes).length : bytes.length,
  }
}
