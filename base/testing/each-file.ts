import { afterAll } from 'vitest'
import { endFile } from '#base/testing/after-file.ts'

// Vitest runs this anew before each file of tests.
afterAll(endFile)
