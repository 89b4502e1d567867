import type { tokens } from '#assistant/token-contract.ts'
import type { Screen } from '#base/web/screen.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/tokens',
    file: '/features/site/assistant/web/tokens-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof tokens>('/user/control/token/list', {}),
  },
]
