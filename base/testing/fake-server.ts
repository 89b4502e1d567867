import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type FakeServer = { address: string; close(): Promise<void> }
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Serves on a free local port in place of an external site. */
export async function serve(handlerAt: (address: string) => Handler): Promise<FakeServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handler = handlerAt(address)
  server.on('request', (request, response) => void handler(request, response))
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type Call = { path: string; query: URLSearchParams; form: URLSearchParams; authorization: string | undefined }

/** The same for a JSON API. Undefined is a 404, and a response is sent as it is. */
export function serveJson(answer: (call: Call, address: string) => unknown): Promise<FakeServer> {
  return serve((address) => async (request, response) => {
    const body = await text(request)
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', address)
    const result = await answer({ path, query, form: new URLSearchParams(body), authorization: request.headers.authorization }, address)
    if (result instanceof Response) {
      response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text())
      return
    }
    response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result ?? { message: 'Not Found' }))
  })
}

/** Follows redirects without a browser until the home address; returns its query. */
export async function followRedirects(from: string, home: string): Promise<string> {
  const cookies = new Map<string, string>()
  let address = new URL(from)
  for (let steps = 0; steps < 10; steps++) {
    if (address.href.startsWith(home)) return address.search.slice(1)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (!next) throw new Error(`${address.href} leads nowhere: ${response.status} ${await response.text()}`)
    address = new URL(next, address)
  }
  throw new Error(`${from} leads round and round`)
}
