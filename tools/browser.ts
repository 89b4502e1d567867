import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { patienceMs } from '#base/testing/patience.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of tests live too briefly for optimising compilers to pay off.
  '--js-flags=--no-maglev --no-opt',
]

let opened: Promise<Browser> | undefined

/** The browser found by `npm test`, or Debian's: opened once for all test files of a process. */
export async function openBrowser(): Promise<Browser> {
  if (!(await opened)?.isConnected()) opened = launch()
  return opened as Promise<Browser>
}

/** Closes the contexts of a test file. */
export async function closeContexts(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close()
}

async function launch(): Promise<Browser> {
  const executablePath = process.env['TEAHOUSE_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Run npm test, or name one in TEAHOUSE_CHROMIUM.`)
  const browser = await chromium.launch({ executablePath, args: flags, timeout: patienceMs() })
  bePatient(browser)
  return browser
}

/** Gives all that is done in a browser the patience of the tests, which changes with the load. */
function bePatient(browser: Browser): void {
  const trust = (context: BrowserContext) => context.setDefaultTimeout(patienceMs())
  browser.on('context', trust)
  const timer = setInterval(() => browser.contexts().forEach(trust), 1_000).unref()
  browser.on('disconnected', () => clearInterval(timer))
}
