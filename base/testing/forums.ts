import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { testKey } from '#base/testing/database.ts'
import type { Visitor } from '#base/testing/visitor.ts'

/** Status 0 and an empty body if the server was killed. */
export type Answer = { status: number; body: string }

/** Servers in a separate process. */
export type Forums = {
  ports: readonly number[]
  /** Calls the n-th server as a visitor, who may have a session from another. */
  send<E extends Endpoint>(n: number, who: Visitor, endpoint: E, input: RawInput<E>, key: string): Promise<Answer>
  /** Shuts down gracefully: requests in flight are answered first. */
  stop(): Promise<void>
  kill(): Promise<void>
}

type Address = { app: string; reader: string; primaryReader?: string }
type ForumsOptions = {
  addresses: readonly Address[]
  folder: string
  listens?: boolean
  /** Additional environment variables of the program. */
  env?: Record<string, string>
  /** The folder of another version of the program. */
  root?: string
}

const ownRoot = join(import.meta.dirname, '../..')

export async function startForums({ addresses, folder, listens = false, env = {}, root = ownRoot }: ForumsOptions): Promise<Forums> {
  const program = spawn(process.execPath, [join(root, 'base/testing/forums-program.ts')], {
    cwd: root,
    env: {
      ...process.env,
      ADDRESSES: JSON.stringify(addresses),
      TEAHOUSE_KEY: testKey,
      LISTENS: listens ? 'yes' : '',
      TEAHOUSE_DATA: folder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(program.stdout, 'data')
  const ports: number[] = JSON.parse(String(output))
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (program.exitCode !== null || program.signalCode !== null) return
    program.kill(signal)
    await once(program, 'exit')
  }
  return {
    ports,
    async send(n, who, endpoint, input, key) {
      const headers = { ...who.headers('POST'), 'content-type': 'application/json', 'idempotency-key': key }
      const url = `http://127.0.0.1:${ports[n]}/api${endpoint.path}`
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) }).catch(() => null)
      return { status: answer?.status ?? 0, body: (await answer?.text().catch(() => '')) ?? '' }
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
