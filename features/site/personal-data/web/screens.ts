import type { Screen } from '#base/web/screen.ts'
import type { personalData } from '#personal-data/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/personalData',
    file: '/features/site/personal-data/web/personal-data-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof personalData>('/user/control/personalData', {}),
  },
]
