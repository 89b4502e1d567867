import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { build } from 'vite'
import { inject } from 'vitest'
import { securityHeaders } from '#base/server/http/headers.ts'
import { withRunLock } from '#base/testing/database.ts'

export type ReceivedRequest = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string }
/** A stream as body is sent as server-sent events. */
export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }

export type TestSite = {
  origin: string
  /** Every API call, in order. */
  calls: ReceivedRequest[]
  /** Every file uploaded on its own, in order. */
  uploads: { url: string; bytes: Buffer; headers: IncomingHttpHeaders }[]
  /** The API's response to a call; can be replaced at any time. */
  answer: (request: ReceivedRequest) => Answer | Promise<Answer>
  close(): Promise<void>
}

/** A page built from one entry like the real ones, on a real server with the real policy and a fake API. */
export async function componentPage(entry: string): Promise<TestSite> {
  const files = await filesOf(entry)
  const app = fastify({ forceCloseConnections: true, bodyLimit: 10_000_000 })
  const site: TestSite = { origin: '', calls: [], uploads: [], answer: () => ({}), close: () => app.close() }
  app.addHook('onRequest', async (_, reply) => void reply.headers(securityHeaders({ https: false, isDevelopment: false })))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: string | Buffer) => body)
  app.all('/api/*', async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, 'http://site')
    const body = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : ''
    const call = { method: request.method, path: pathname.slice(4), query: searchParams, headers: request.headers, body }
    site.calls.push(call)
    const { status = 200, body: answer = {}, headers = {} } = await site.answer(call)
    return reply
      .code(status)
      .headers(headers)
      .type(answer instanceof Readable ? 'text/event-stream' : typeof answer === 'string' ? 'text/plain' : 'application/json')
      .send(answer)
  })
  // A test that intercepts requests disables the browser cache, which makes loading far slower.
  app.get('/file/:name', (_, reply) => reply.type('image/svg+xml').send(picture))
  app.put('/file/incoming/:name', (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    site.uploads.push({ url: request.url, bytes, headers: request.headers })
    return reply.code(204).send()
  })
  app.get('/assets/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    const file = files[`assets/${name}`]
    return file === undefined
      ? reply.code(404).send()
      : reply
          .header('cache-control', 'max-age=3600')
          .type(name.endsWith('.css') ? 'text/css' : 'text/javascript')
          .send(file)
  })
  app.get('/favicon.ico', (_, reply) => reply.code(204).send())
  // Some browsers do not navigate to a missing page.
  app.get('/empty', (_, reply) => reply.type('text/html; charset=utf-8').send(''))
  app.get('/*', (_, reply) =>
    reply
      .header('set-cookie', 'cms_token=leaf.cup; Path=/')
      .type('text/html; charset=utf-8')
      .send(documentOf(Object.keys(files))),
  )
  site.origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return site
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="450"><rect width="800" height="450" fill="#7a9"/></svg>'

type Files = Record<string, string>

/** Builds an entry once for all processes of a run. */
async function filesOf(entry: string): Promise<Files> {
  const cacheFile = join(inject('database').folder, `${entry.replaceAll('/', '_')}.json`)
  return withRunLock(entry, async () => {
    if (existsSync(cacheFile)) return JSON.parse(readFileSync(cacheFile, 'utf8'))
    const files = await buildEntry(entry)
    writeFileSync(cacheFile, JSON.stringify(files))
    return files
  })
}

async function buildEntry(entry: string): Promise<Files> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { development: false } },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { entry: fileURLToPath(new URL(entry, import.meta.url)) },
        // The zod configuration must run before the first schema is created, so it is a chunk of its own.
        output: { codeSplitting: { groups: [{ name: 'no-eval', test: /base\/web\/no-eval\.ts$/ }] } },
        onLog: () => undefined,
      },
    },
  })
  const files = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  return Object.fromEntries(files.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]))
}

function documentOf(names: string[]): string {
  const styles = names.filter((name) => name.endsWith('.css')).map((name) => `<link rel="stylesheet" href="/${name}">`)
  const scripts = names
    .filter((name) => /^assets\/entry-.*\.js$/.test(name))
    .map((name) => `<script type="module" src="/${name}"></script>`)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...styles,
    ...scripts,
    '</head><body><div id="root"></div></body></html>',
  ].join('\n')
}
