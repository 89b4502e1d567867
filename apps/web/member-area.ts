import type { Screen } from '#base/web/screen.ts'

/** The layout of the pages about a member. */
export const memberArea: Screen = { path: '/user/control', file: '/apps/web/screens/member-area.tsx' }

/** A screen with its layout. */
export function partsOf(screen: Screen): readonly Screen[] {
  return screen.isInMemberArea ? [memberArea, screen] : [screen]
}
