import type { Feature } from '#base/server/feature.ts'
import { jobs, bufferedWriters } from '#topic/server/jobs.ts'
import { streams } from '#topic/server/streams.ts'
import { routes } from '#topic/server/routes.ts'

export const feature: Feature = {
  name: 'topic',
  routes,
  streams,
  jobs,
  bufferedWriters,
}
