import { addresses } from 'virtual:addresses'
import { memberArea } from '#apps/web/member-area.ts'
import { readingScreens } from '#apps/web/reading-screens.ts'
import type { Screen } from '#apps/web/screen.ts'

const others: Screen[] = addresses.map(({ path, isInArea }) => ({ path, file: '', ...(isInArea && { within: memberArea }) }))

/** Every screen, as the browser knows it: of those that few visitors come for it is the address alone, until one goes to one of them. */
export const knownScreens: readonly Screen[] = [...readingScreens, ...others]

/** Learns what there is to know of a screen. */
export async function complete(screen: Screen): Promise<void> {
  if (screen.file !== '') return
  const other = await import('#apps/web/other-pages.ts')
  other.complete(others)
}
