import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#base/testing/free-port.ts'
import { until } from '#base/testing/waits.ts'

type ProxyOptions = {
  program: string
  /** The arguments, with the path of the configuration. */
  args: (configPath: string) => string[]
  config: (port: number) => string
}

/** A real reverse proxy in the foreground, with this configuration. */
export async function startProxy({ program, args, config }: ProxyOptions): Promise<{ address: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-proxy-'))
  const [port, path] = [await freePort(), join(folder, 'config')]
  writeFileSync(path, config(port))
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args(path), { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += String(part)))
  const exited = once(child, 'exit')
  const address = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    return fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { address, stop }
}
