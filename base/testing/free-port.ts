import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral range, so that the system does not assign one of them a moment later.
const [first, last] = [20_000, 32_000]

/** A port without a listener a moment ago. */
export async function freePort(): Promise<number> {
  const port = randomInt(first, last)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort() // taken
  }
  await new Promise((closed) => server.close(closed))
  return port
}
