import type { Feature } from '#base/server/feature.ts'
import { streams } from '#comment/server/streams.ts'
import { routes } from '#comment/server/routes.ts'

export const feature: Feature = {
  name: 'comment',
  routes,
  streams,
}
