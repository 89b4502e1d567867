import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { addresses } from './apps/web/addresses-plugin.ts'
import { words } from './apps/web/words-plugin.ts'
import { secondsOf } from './tools/durations.ts'

/**
 * The file that names its own fonts comes first, for a process reads the names of fonts once. Then what counts steps, for that takes ten
 * times as long in a process that has loaded much. Then the longest, so that nothing long is left for the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => turnOf(one) - turnOf(other) || lengthOf(other) - lengthOf(one))
  }
}

function turnOf({ moduleId }: TestSpecification): number {
  const text = readFileSync(moduleId, 'utf8')
  if (text.includes('FONTCONFIG_FILE')) return 0
  return text.includes('countingSteps') ? 1 : 2
}

function lengthOf({ moduleId }: TestSpecification): number {
  return secondsOf(relative(import.meta.dirname, moduleId))
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
    // No limit fails a slow machine. A poll gives up before its test does (base/testing/patience.ts).
    testTimeout: 60 * 60_000,
    hookTimeout: 60 * 60_000,
  },
})
