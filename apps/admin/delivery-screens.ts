import type { Screen } from '#apps/admin/screen.ts'
import { listLoader } from '#base/admin/list-query.ts'
import type { deliveryBoard, Template } from '#delivery/contract.ts'
import { deliveryList } from '#delivery/log-contract.ts'
import type { templateList, templateView } from '#delivery/template-contract.ts'

const features = '../../features'

/** Outgoing messages. */
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
    load: listLoader(deliveryList),
  },
  {
    path: '/admin/delivery/template',
    file: `${features}/delivery/admin/templates-page.tsx`,
    title: 'deliveryAdmin.templates',
    right: 'setting.view',
    group: 'site',
    load: ({ api }) => api.read<typeof templateList>('/admin/delivery/template/list', {}),
  },
  {
    path: '/admin/delivery/template/edit',
    file: `${features}/delivery/admin/template-page.tsx`,
    title: 'deliveryAdmin.words',
    right: 'setting.view',
    load: ({ api, url }) => {
      const template = (url.searchParams.get('template') ?? '') as Template
      return api.read<typeof templateView>('/admin/delivery/template/view', { template })
    },
  },
]
