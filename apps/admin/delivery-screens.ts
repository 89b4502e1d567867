import type { Screen } from '#apps/admin/screen.ts'
import { pageOf } from '#base/admin/list-query.ts'
import type { deliveryBoard } from '#delivery/contract.ts'
import { deliveryList } from '#delivery/log-contract.ts'

const features = '../../features'

/** What the site sends to people. */
export const deliveryScreens: readonly Screen[] = [
  {
    path: '/admin/delivery',
    file: `${features}/delivery/admin/delivery-page.tsx`,
    title: 'deliveryAdmin.sending',
    right: 'setting.view',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof deliveryBoard>('/admin/delivery/board', {}),
  },
  {
    path: '/admin/delivery/log',
    file: `${features}/delivery/admin/log-page.tsx`,
    title: 'deliveryAdmin.log',
    right: 'setting.view',
    group: 'upkeep',
    load: pageOf(deliveryList),
  },
]
