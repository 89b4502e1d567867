import type { Screen } from '#apps/web/screen.ts'
import { index } from '#apps/web/screens/index.data.ts'
import { thread } from '#apps/web/screens/thread.data.ts'

const feature = '../../features'

/** Every screen of the members' site. An address that is not here leads to the index. */
export const screens: readonly Screen[] = [
  index,
  thread,
]
