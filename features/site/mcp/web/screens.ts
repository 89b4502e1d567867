import type { Screen } from '#base/web/screen.ts'
import type { tokens } from '#mcp/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/tokens',
    file: '/features/site/mcp/web/tokens-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof tokens>('/user/control/token/list', {}),
  },
]
