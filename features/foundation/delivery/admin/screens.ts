import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { deliveryBoard, Template } from '#delivery/contract.ts'
import { deliveryList } from '#delivery/log-contract.ts'
import type { templateList, templateView } from '#delivery/template-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/delivery',
    page: () => import('#delivery/admin/delivery-page.tsx'),
    title: 'deliveryAdmin.sending',
    right: 'setting.view',
    group: 'upkeep',
    aliases: 'email mail sms text message log provider test 发信 测试邮件',
    load: ({ api }) => api.read<typeof deliveryBoard>('/admin/delivery/board', {}),
  },
  {
    path: '/admin/delivery/log',
    page: () => import('#delivery/admin/log-page.tsx'),
    title: 'deliveryAdmin.log',
    right: 'setting.view',
    group: 'upkeep',
    aliases: 'email mail sms text message outbox failed bounced 短信记录 邮件记录 发送失败 退信',
    load: listLoader(deliveryList),
  },
  {
    path: '/admin/delivery/template',
    page: () => import('#delivery/admin/templates-page.tsx'),
    title: 'deliveryAdmin.templates',
    right: 'setting.view',
    group: 'site',
    aliases: 'email mail sms text message template wording subject preview 邮件模板 短信模板 模板 预览',
    load: ({ api }) => api.read<typeof templateList>('/admin/delivery/template/list', {}),
  },
  {
    path: '/admin/delivery/template/edit',
    page: () => import('#delivery/admin/template-page.tsx'),
    title: 'deliveryAdmin.words',
    right: 'setting.view',
    load: ({ api, url }) => {
      const template = (url.searchParams.get('template') ?? '') as Template
      return api.read<typeof templateView>('/admin/delivery/template/view', { template })
    },
  },
]
