import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from '#base/testing/after-file.ts'
import { npmWith } from '../../scripts/npm.mjs'
import { run } from '../../scripts/step.mjs'

/** Installs packages of exact versions for a test file, in a folder of their own: what reads deploy files is no part of the program. */
export async function npmPackages(packages: readonly string[]): Promise<{ folder: string; require: NodeJS.Require }> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-packages-'))
  afterFile(async () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const npm = npmWith(process.execPath, folder)
  await run(npm.file, [...npm.args, 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder, env: npm.env })
  return { folder, require: createRequire(join(folder, 'package.json')) }
}
