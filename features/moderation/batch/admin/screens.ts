import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { batches } from '#batch/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/batch',
    page: () => import('#batch/admin/batches-page.tsx'),
    title: 'batchAdmin.batches',
    right: ['content.view', 'member.view'],
    group: 'house',
    aliases: 'batches bulk mass undo history 批处理 批量删除 撤销',
    load: listLoader(batches),
  },
]
