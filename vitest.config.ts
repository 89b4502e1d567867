import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { words } from './apps/web/words-plugin.ts'

/** What walks in a browser takes longest by far, so that it begins first; nothing long is left for the end. */
class JourneysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const walks = ({ moduleId }: TestSpecification) => /\.spec\.|\.browser\.test\./.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(walks), ...sorted.filter((file) => !walks(file))]
  }
}

export default defineConfig({
  plugins: [words()],
  test: {
    include: ['**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'],
    exclude: [...configDefaults.exclude, 'tools/runtime/**', 'data/**', 'dist/**'],
    globalSetup: ['base/testing/start.ts'],
    sequence: { sequencer: JourneysFirst },
    maxWorkers: 3,
    // Each file begins on a database of its own and knows nothing of another (apps/server/known.ts); what is imported stays.
    isolate: false,
    // So long that only what never comes fails, also where the machine stands still for a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
