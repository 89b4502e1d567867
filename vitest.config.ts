import { configDefaults, defineConfig } from 'vitest/config'
import { words } from './apps/web/words-plugin.ts'

const exclude = [...configDefaults.exclude, 'tools/runtime/**', 'data/**', 'dist/**']
const browserTests = '**/*.browser.test.{ts,tsx}'
const journeys = 'e2e/**/*.spec.ts'
const patient = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 10_000 } } }

export default defineConfig({
  plugins: [words()],
  test: {
    globalSetup: ['base/testing/start.ts'],
    maxWorkers: 2,
    // Each file begins on a database of its own and knows nothing of another (apps/server/known.ts); what is imported stays.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit+server',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, browserTests],
          testTimeout: 40_000,
          hookTimeout: 30_000,
        },
      },
      { extends: true, test: { name: 'browser', include: [browserTests], exclude, ...patient } },
      { extends: true, test: { name: 'journeys', include: [journeys], exclude, ...patient } },
    ],
  },
})
