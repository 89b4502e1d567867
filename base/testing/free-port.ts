import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that systems give to whoever asks for any, so that none is given away a moment later.
const [first, last] = [20_000, 32_000]

/** A port of this machine that nobody listened at a moment ago. */
export async function aFreePort(): Promise<number> {
  const port = randomInt(first, last)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return aFreePort() // taken
  }
  await new Promise((closed) => server.close(closed))
  return port
}
