import { byFeature } from '#apps/admin/lists/screens.ts'
import type { Screen } from '#base/admin/screen.ts'
import { withFirst } from '#base/collect-declarations.ts'

const first = [
  'statistic',
  'review',
  'sensitiveWord',
  'report',
  'message',
  'content',
  'member',
  'invitation',
  'memberCleanup',
  'role',
  'field',
  'wallet',
  'collusion',
  'membership',
  'payment',
  'redEnvelope',
  'notification',
  'help',
  'feedback',
  'link',
  'identity',
  'setting',
  'delivery',
  'assistant',
  'look',
  'frame',
  'staff',
  'audit',
  'batch',
] as const

/** Every screen of the administration. Within a section of the menu they stand in this order. */
export const screens: readonly Screen[] = Object.values(withFirst(byFeature, first)).flat()
