import type { Screen } from '#apps/web/screen.ts'

/** The layout of the pages about a member. */
export const memberArea: Screen = { path: '/user/control', file: './screens/member-area.tsx' }
