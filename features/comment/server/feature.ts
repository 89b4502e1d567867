import type { Feature } from '#base/server/feature.ts'
import { streams } from '#comment/server/news.ts'
import { routes } from '#comment/server/routes.ts'

export const feature: Feature = {
  name: 'comment',
  routes,
  streams,
}
