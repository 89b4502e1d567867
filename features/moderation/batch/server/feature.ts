import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#batch/server/jobs.ts'
import { routes } from '#batch/server/routes.ts'

const record = { stays: 'The record of an action of staff, which its undo reads.' }

export const feature: Feature = {
  name: 'batch',
  routes,
  jobs,
  postReferences: {
    'staff_batch.filter': { erased: record },
    'staff_batch.wish': { erased: record },
    'staff_batch_item.item_id': { erased: record },
    'staff_batch_item.before': { erased: record },
    'staff_batch_item.after': { erased: record },
  },
}
