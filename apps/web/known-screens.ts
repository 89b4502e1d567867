import { addresses, memberAddresses } from 'virtual:addresses'
import { readingScreens } from '#apps/web/reading-screens.ts'
import type { Screen } from '#base/web/screen.ts'

const others: Screen[] = [
  ...addresses.map((path) => ({ path, file: '' })),
  ...memberAddresses.map((path) => ({ path, file: '', isInMemberArea: true })),
]

/** Every screen, as the browser knows it: of rarely visited ones only the path, until one is visited. */
export const knownScreens: readonly Screen[] = [...readingScreens, ...others]

/** Loads the metadata of a screen. */
export async function loadMetadata(screen: Screen): Promise<void> {
  if (screen.file !== '') return
  const other = await import('#apps/web/rare-screens.ts')
  other.complete(others)
}
