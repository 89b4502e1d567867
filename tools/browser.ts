import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens the browser that `npm test` found, or the one that lies where Debian puts it. */
export async function launch(): Promise<Browser> {
  const executablePath = process.env['TEAHOUSE_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Run npm test, or name one in TEAHOUSE_CHROMIUM.`)
  return chromium.launch({ executablePath, args: flags })
}
