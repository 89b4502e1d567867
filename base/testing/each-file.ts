import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { endFile } from '#base/testing/after-file.ts'
import { runs, seed } from '#base/testing/extent.ts'
import { patienceMs } from '#base/testing/patience.ts'

fc.configureGlobal({ seed, numRuns: runs(100) })

const poll = {
  // Read anew by each poll, because the load changes.
  get timeout() {
    return patienceMs()
  },
}
vi.setConfig({ expect: { poll } })

// Vitest evaluates this setup file once per test file.
afterAll(endFile)
