import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#writing/server/jobs.ts'

export const feature: Feature = {
  name: 'writing',
  jobs,
}
