import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { openapiOf } from '#apps/server/openapi.ts'
import { streams } from '#comment/server/streams.ts'
import { root } from './steps.ts'

const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')

test('a linter finds nothing wrong with how the calls are described', () => {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-openapi-'))
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapiOf([...routes, ...streams], 'Teahouse'), null, 1))
    const { status, stdout, stderr } = spawnSync(process.execPath, [linter, 'lint', 'openapi.json', '--extends', 'recommended-strict'], {
      cwd: folder,
      encoding: 'utf8',
      // It would send telemetry, and look for updates.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    expect(status === 0 ? '' : `${stdout.slice(0, 5_000)}${stderr.slice(0, 2_000)}`).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
