import { request } from 'node:http'

export type Asked = { path: string; headers?: Record<string, string>; form?: URLSearchParams }
export type Answer = { status: number; text: string }

// A member gives up after so long, and tries again.
const patienceMs = 10_000

/** One request on a connection of its own. A string says why there is no whole answer; `refused` if nobody listens. */
export function ask(base: string, { path, headers = {}, form }: Asked): Promise<Answer | string> {
  return new Promise((resolve) => {
    const method = form ? 'POST' : 'GET'
    const type = form && { 'content-type': 'application/x-www-form-urlencoded' }
    const asking = request(base + path, { method, agent: false, headers: { ...headers, ...type }, signal: AbortSignal.timeout(patienceMs) })
    asking.on('response', (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
      answer.on('error', (error) => resolve(error.message))
    })
    asking.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : error.message))
    asking.end(form?.toString())
  })
}

/** The balancers by their addresses. A browser takes the other one if this one refuses the connection, and says nothing of it. */
export async function askEither(balancers: readonly string[], turn: number, asked: Asked): Promise<Answer | string> {
  const [one = '', other = ''] = turn % 2 === 0 ? balancers : balancers.toReversed()
  const first = await ask(one, asked)
  return first === 'refused' ? ask(other, asked) : first
}
