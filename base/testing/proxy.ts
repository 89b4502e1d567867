import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
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
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    return isListening(port)
  })
  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: `http://127.0.0.1:${port}`, stop }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
