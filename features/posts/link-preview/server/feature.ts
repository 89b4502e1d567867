import type { Feature } from '#base/server/feature.ts'
import { jobs, bufferedWriters } from '#link-preview/server/jobs.ts'

export const feature: Feature = {
  name: 'link-preview',
  jobs,
  bufferedWriters,
}
