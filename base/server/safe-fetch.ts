type Asked = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string
  patienceMs?: number
  mostBytes?: number
}

export type Answer = { status: number; text: string; type: string }

/** The machine did not answer, not in time, or without end. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Asks a machine that the operator has named; what members write must never become such an address. It is asked once, goes nowhere
 * else, and is waited for and read no longer than told. A name and a password in the address become a header, and never part of an error.
 */
export async function askNamed(
  address: URL,
  { headers = {}, patienceMs = 5_000, mostBytes = 16_000_000, ...asked }: Asked = {},
): Promise<Answer> {
  const bare = new URL(address)
  bare.username = bare.password = ''
  const all = { ...headers, ...(address.username && { authorization: basic(address) }) }
  try {
    const answer = await fetch(bare, { ...asked, headers: all, redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    return { status: answer.status, text: await textOf(answer, mostBytes), type: answer.headers.get('content-type') ?? '' }
  } catch (error) {
    throw new NoAnswer(`${bare.host} gives no answer`, { cause: error })
  }
}

function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
}

async function textOf(answer: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new RangeError(`More than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
