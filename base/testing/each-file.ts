import fc from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from '#base/testing/after-file.ts'
import { runs, seed } from '#base/testing/extent.ts'

fc.configureGlobal({ seed, numRuns: runs(100) })

// Vitest evaluates this setup file once per test file.
afterAll(endFile)
