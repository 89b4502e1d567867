import { readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { addresses } from './apps/web/addresses-plugin.ts'
import { words } from './apps/web/words-plugin.ts'

/**
 * The file that names its own fonts comes first, for a process reads the names of fonts once. Then what counts steps, for that takes ten
 * times as long in a process that has loaded much. Then what walks in a browser, which takes longest by far, so that nothing long is left
 * for the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}

function turnOf({ moduleId }: TestSpecification): number {
  const text = readFileSync(moduleId, 'utf8')
  if (text.includes('FONTCONFIG_FILE')) return 0
  if (text.includes('countingSteps')) return 1
  return /\.spec\.|\.browser\.test\./.test(moduleId) ? 2 : 3
}

// With two servers, the tests use a durable database; this file needs one that is not.
const ofOneServer = process.env['SERVERS'] === '2' ? ['apps/server/preflight.test.ts'] : []

export default defineConfig({
  plugins: [words(), addresses()],
  test: {
    include: ['**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'],
    exclude: [...configDefaults.exclude, 'tools/runtime/**', 'data/**', 'dist/**', ...ofOneServer],
    globalSetup: ['base/testing/start.ts'],
    setupFiles: ['base/testing/each-file.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 3,
    // Each file has its own database and program, so files share nothing but the modules they import.
    isolate: false,
    // No limit fails a slow machine. A poll gives up long before its test does.
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
