import type { ComponentType } from 'react'
import { otherScreens } from '#apps/web/screens.ts'
import type { Screen } from '#apps/web/screen.ts'

/** What the screens look like that few visitors come for. */
export const otherPages = import.meta.glob<{ Page: ComponentType }>(['./screens/*.tsx', '../../features/*/web/*-page.tsx'])

/** Says of these screens what there is to know beside their address. */
export function complete(screens: readonly Screen[]): void {
  for (const screen of otherScreens) Object.assign(screens.find(({ path }) => path === screen.path) ?? {}, screen)
}
