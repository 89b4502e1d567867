import type { Screen } from '#base/web/screen.ts'
import type { listDrafts } from '#draft/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/draftList',
    file: '/features/threads/draft/web/draft-list-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof listDrafts>('/user/control/draftList', {}),
  },
]
