import { existsSync } from 'node:fs'
import { Halt, run, step } from '../scripts/step.mjs'
import { root } from './steps.ts'

/** Installs system packages for tests. False if that is impossible here. */
export async function installFromDebian(what: string, packages: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const how = { cwd: root, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    await step(`Installing ${what} from Debian`, async () => {
      await run('apt-get', ['update', '-q'], how)
      await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], how)
    })
    return true
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    console.log(`${what} could not be installed: ${error.message.split('\n').at(-1)}`)
    return false
  }
}
