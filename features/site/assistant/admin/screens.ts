import type { promptList } from '#assistant/prompt-contract.ts'
import { answerReportList, type answerReportView } from '#assistant/report-contract.ts'
import type { modelList } from '#assistant/staff-contract.ts'
import { usageView } from '#assistant/usage-contract.ts'
import { listLoader, listQuery } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'

const shared = { right: 'assistant.view', group: 'site' } as const

export const screens: readonly Screen[] = [
  {
    path: '/admin/assistant/model',
    page: () => import('#assistant/admin/models-page.tsx'),
    title: 'assistantAdmin.models',
    ...shared,
    aliases:
      'ai llm openai deepseek qwen bailian kimi ollama provider api key chatbot 人工智能 大模型 百炼 火山方舟 通义 密钥 接口 聊天机器人',
    load: ({ api }) => api.read<typeof modelList>('/admin/assistant/model/list', {}),
  },
  {
    path: '/admin/assistant/usage',
    page: () => import('#assistant/admin/usage-page.tsx'),
    title: 'assistantAdmin.usage',
    ...shared,
    aliases: 'ai tokens spending budget billing expenses bill quota 人工智能 用量 花费 开销 账单 预算 额度',
    load: ({ api, url }) => api.read<typeof usageView>('/admin/assistant/usage', listQuery(usageView, url)),
  },
  {
    path: '/admin/assistant/prompt',
    page: () => import('#assistant/admin/prompts-page.tsx'),
    title: 'assistantAdmin.prompts',
    ...shared,
    aliases: 'ai system prompt instructions persona 人工智能 系统提示词 指令 人设',
    load: ({ api }) => api.read<typeof promptList>('/admin/assistant/prompt/list', {}),
  },
  {
    path: '/admin/assistant/report',
    page: () => import('#assistant/admin/reports-page.tsx'),
    title: 'assistantAdmin.reports',
    right: 'assistant.report',
    group: 'content',
    pendingCount: 'answerReports',
    aliases: 'ai flags complaints abuse harmful wrong answers hallucination conversations 人工智能 投诉 举报 检举 对话 错误回答 幻觉',
    load: listLoader(answerReportList),
  },
  {
    path: '/admin/assistant/report/view',
    page: () => import('#assistant/admin/report-page.tsx'),
    title: 'assistantAdmin.report',
    titleOf: ({ member }: Output<typeof answerReportView>) => member.name,
    right: 'assistant.report',
    load: ({ api, url }) =>
      api.read<typeof answerReportView>('/admin/assistant/report/view', { reportId: url.searchParams.get('reportId') ?? '' }),
  },
]
