import type { Feature } from '#base/server/feature.ts'
import { labelOfPosts } from '#ai-label/server/post-part.ts'

export const feature: Feature = {
  name: 'ai-label',
  postPart: labelOfPosts,
}
