import type { Screen } from '#base/web/screen.ts'
import type { preferences } from '#preferences/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/preferences',
    file: '/features/foundation/preferences/web/preferences-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof preferences>('/user/control/preferences', {}),
  },
]
