import { configDefaults, defineConfig } from 'vitest/config'
import { words } from './apps/web/words-plugin.ts'

export default defineConfig({
  plugins: [words()],
  test: {
    include: ['**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'],
    exclude: [...configDefaults.exclude, 'tools/runtime/**', 'data/**', 'dist/**'],
    globalSetup: ['base/testing/start.ts'],
    maxWorkers: 3,
    // Each file begins on a database of its own and knows nothing of another (apps/server/known.ts); what is imported stays.
    isolate: false,
    // So long that only what never comes fails, also where the machine stands still for a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
