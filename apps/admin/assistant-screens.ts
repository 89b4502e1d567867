import type { Screen } from '#apps/admin/screen.ts'
import type { promptList } from '#assistant/prompt-contract.ts'
import { answerReportList, type answerReportView } from '#assistant/report-contract.ts'
import type { modelList } from '#assistant/staff-contract.ts'
import { usageView } from '#assistant/usage-contract.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import type { Output } from '#base/contract.ts'

const folder = '../../features/assistant/admin'
const shared = { right: 'assistant.view', group: 'site' } as const

/** The AI assistant: its models, costs and prompts. */
export const assistantScreens: readonly Screen[] = [
  {
    path: '/admin/assistant/model',
    file: `${folder}/models-page.tsx`,
    title: 'assistantAdmin.models',
    ...shared,
    load: ({ api }) => api.read<typeof modelList>('/admin/assistant/model/list', {}),
  },
  {
    path: '/admin/assistant/usage',
    file: `${folder}/usage-page.tsx`,
    title: 'assistantAdmin.usage',
    ...shared,
    load: ({ api, url }) => api.read<typeof usageView>('/admin/assistant/usage', listQuery(usageView, url)),
  },
  {
    path: '/admin/assistant/prompt',
    file: `${folder}/prompts-page.tsx`,
    title: 'assistantAdmin.prompts',
    ...shared,
    load: ({ api }) => api.read<typeof promptList>('/admin/assistant/prompt/list', {}),
  },
  {
    path: '/admin/assistant/report',
    file: `${folder}/reports-page.tsx`,
    title: 'assistantAdmin.reports',
    right: 'assistant.report',
    group: 'content',
    pendingCount: 'answerReports',
    load: listLoader(answerReportList),
  },
  {
    path: '/admin/assistant/report/view',
    file: `${folder}/report-page.tsx`,
    title: 'assistantAdmin.report',
    titleOf: ({ member }: Output<typeof answerReportView>) => member.name,
    right: 'assistant.report',
    load: ({ api, url }) =>
      api.read<typeof answerReportView>('/admin/assistant/report/view', { reportId: url.searchParams.get('reportId') ?? '' }),
  },
]
