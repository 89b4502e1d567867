import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'

/** A request of a page, either during the load or while idle, with the bytes of its body on the wire. */
export type PageRequest = { path: string; kind: string; isIdle: boolean; bytes: number }

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
  return Promise.all(
    requests.map(async (request, at) => {
      const path = new URL(request.url()).pathname
      return { path, kind: request.resourceType(), isIdle: at >= untilLoaded, bytes: fileBytes(path) ?? (await answerBytes(request)) }
    }),
  )
}

export function addUp(fetched: readonly PageRequest[]): { requests: number; bytes: number } {
  return { requests: fetched.length, bytes: fetched.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** The Brotli size of a built file, which has its copy only some time after the build; null for anything else. */
function fileBytes(path: string): number | null {
  if (!/\.(js|css)$/.test(path)) return null
  const bytes = readFileSync(built + path)
  // The smallest files are sent uncompressed.
  return existsSync(`${built}${path}.gz`) ? brotliCompressSync(bytes).length : bytes.length
}

// A stream has no end.
async function answerBytes(request: Request): Promise<number> {
  const answer = await request.response()
  if (!answer || answer.headers()['content-type']?.startsWith('text/event-stream')) return 0
  return (await request.sizes()).responseBodySize
}
