import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#rename/server/jobs.ts'

export const feature: Feature = {
  name: 'rename',
  jobs,
}
