import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Figure = { perSecond: number; p50: string; p99: string; failed: number }

const run = promisify(execFile)
const connections = 16

/** Loads an address with wrk, going round the paths, and gives what it counted. */
export async function load(url: string, paths: readonly string[], seconds: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-wrk-'))
  const script = join(folder, 'paths.lua')
  writeFileSync(
    script,
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}\nlocal n = 0\nrequest = function() n = n % #paths + 1; return wrk.format('GET', paths[n]) end\n`,
  )
  try {
    await run('wrk', ['-t1', `-c${connections}`, '-d1s', '-s', script, url])
    const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url])
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
      p50: /50%\s+(\S+)/.exec(stdout)?.[1] ?? '',
      p99: /99%\s+(\S+)/.exec(stdout)?.[1] ?? '',
      failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
