import { execFile } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One request of the load; a write gets a new key each time, in its header or as UUID in its body, and NUMBER becomes a unique number. */
export type LoadRequest = { path: string; headers?: Record<string, string>; body?: string }

export type Figure = { perSecond: number; p50: number; p99: number; failed: number }

const run = promisify(execFile)

/**
 * Loads a server with wrk for so many seconds, cycling through the requests from a random one, so that a write that can be made once is
 * rarely repeated by the next load. Latencies are in milliseconds.
 */
export async function load(url: string, asks: readonly LoadRequest[], seconds: number, connections = 16): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-wrk-'))
  const script = join(folder, 'asks.lua')
  try {
    writeFileSync(script, scriptOf(asks))
    const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url], {
      maxBuffer: 1e8,
    })
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
      p50: milliseconds(/^\s+50%\s+(\S+)/m.exec(stdout)?.[1]),
      p99: milliseconds(/^\s+99%\s+(\S+)/m.exec(stdout)?.[1]),
      failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scriptOf(asks: readonly LoadRequest[]): string {
  const table = asks.map(({ path, headers, body }) => {
    const pairs = Object.entries(headers ?? {}).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)
    return `{p=${quoted(path)},h={${pairs.join(',')}}${body === undefined ? '' : `,b=${quoted(body)}`}}`
  })
  return `
    local asks = {${table.join(',\n')}}
    local run = '${randomBytes(9).toString('hex')}-'
    local uuid = '${randomUUID().slice(0, 24)}'
    local n, first = 0, ${randomInt(asks.length)}
    request = function()
      n = n + 1
      local ask = asks[(first + n) % #asks + 1]
      if not ask.b then return wrk.format('GET', ask.p, ask.h) end
      local body, keyed = string.gsub(ask.b, 'UUID', uuid .. string.format('%012d', n))
      if keyed == 0 then ask.h['Idempotency-Key'] = run .. n end
      body = string.gsub(body, 'NUMBER', run .. n)
      return wrk.format('POST', ask.p, ask.h, body)
    end`
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function milliseconds(text = ''): number {
  const [, number, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? []
  return Number(number ?? Number.NaN) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}
