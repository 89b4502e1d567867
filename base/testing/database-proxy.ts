import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

/** A proxy to PostgreSQL that can hold back answers. */
export type DatabaseProxy = {
  port: number
  /** Delivers the n-th packet from now on to PostgreSQL, and withholds its answer. Resolves when PostgreSQL has answered. */
  holdAnswer(n: number): Promise<void>
  close(): void
}

/** Listens on a local port and forwards to PostgreSQL. */
export async function startProxy(ownerUrl: string): Promise<DatabaseProxy> {
  const where = hostAndPort(ownerUrl)
  const open = new Set<Socket>()
  let left = Infinity
  let heldSocket: Socket | null = null
  let hasAnswered: () => void = () => undefined

  const server = createServer((from) => {
    const to = connect(where)
    from.on('data', (bytes) => {
      if (--left === 0) heldSocket = from
      to.write(bytes)
    })
    to.on('data', (bytes) => (heldSocket === from ? hasAnswered() : from.write(bytes)))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    holdAnswer(n) {
      left = n
      return new Promise((answered) => (hasAnswered = answered))
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** The database URL through the proxy. */
export function viaProxy({ port }: DatabaseProxy, url: string): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  address.host = `127.0.0.1:${port}`
  return address.href
}

function hostAndPort(url: string) {
  const { hostname: host, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  return folder ? { path: join(folder, `.s.PGSQL.${port || '5432'}`) } : { host, port: Number(port || 5432) }
}
