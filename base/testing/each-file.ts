import fc from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from '#base/testing/after-file.ts'
import { runs, seed } from '#base/testing/extent.ts'

fc.configureGlobal({ seed, numRuns: runs(100) })

// Vitest runs this anew before each file of tests.
afterAll(endFile)
