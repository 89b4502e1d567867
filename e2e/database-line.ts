import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export type DatabaseLine = {
  /** The database's address through this proxy. */
  url: string
  /** Breaks every connection and refuses new ones: the database is unavailable. */
  cut(): Promise<void>
  restore(): Promise<void>
}

/** A proxy to the database that a test can interrupt, as a restart would. */
export async function databaseLine(ownerUrl: string): Promise<DatabaseLine> {
  const address = new URL(ownerUrl)
  const socket = address.searchParams.get('host')
  const there = socket?.startsWith('/')
    ? { path: `${socket}/.s.PGSQL.5432` }
    : { host: address.hostname, port: Number(address.port || 5432) }
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(there)
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })

  async function listen(port: number): Promise<number> {
    await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
    return (server.address() as AddressInfo).port
  }

  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const one of open) one.destroy()
    await closed
  }

  const port = await listen(0)
  address.searchParams.delete('host')
  address.host = `127.0.0.1:${port}`
  return { url: address.href, cut, restore: async () => void (await listen(port)) }
}
