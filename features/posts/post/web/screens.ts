import type { Screen } from '#base/web/screen.ts'
import type { deletedList } from '#post/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/deletedList',
    file: '/features/posts/post/web/deleted-list-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof deletedList>('/user/control/deletedList', {}),
  },
]
