import { expect, test } from 'vitest'
import { chainTo, importersIn } from '#apps/web/building/needed-by.ts'
import { addressOf, program } from '../../../tools/repository.ts'

test('no page of members loads the declarations for staff', () => {
  const importers = importersIn(...program(/^(apps\/web|features\/[^/]+\/[^/]+\/web)\/.*\.tsx?$/))
  const manifests = addressOf('features/lists/manifests.ts')
  expect(importers.has(manifests) ? chainTo(manifests, importers) : []).toEqual([])
  expect(importers.size).toBeGreaterThan(500)
})
