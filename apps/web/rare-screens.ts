import type { ComponentType } from 'react'
import { otherScreens } from '#apps/web/screens.ts'
import type { Screen } from '#base/web/screen.ts'

/** The components of rarely visited screens. */
export const otherPages = import.meta.glob<{ Page: ComponentType }>(['/apps/web/screens/*.tsx', '/features/*/*/web/*-page.tsx'])

/** Adds the metadata of these screens. */
export function complete(screens: readonly Screen[]): void {
  for (const screen of otherScreens) Object.assign(screens.find(({ path }) => path === screen.path) ?? {}, screen)
}
