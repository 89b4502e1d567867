import { memberIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { memberRemarks } from '#comment/contract.ts'
import type { RemarkKind, ThreadKind } from '#kind/contract.ts'

export const screens: readonly Screen[] = [
  responseScreen('commentList', 'comment', 'topic'),
  responseScreen('replyList', 'reply', 'topic'),
  responseScreen('answerList', 'comment', 'question'),
  responseScreen('answerReplyList', 'reply', 'question'),
]

function responseScreen(name: string, kind: RemarkKind, thread: ThreadKind): Screen {
  return {
    path: `/user/control/${name}`,
    file: '/features/threads/comment/web/remark-list-page.tsx',
    isInMemberArea: true,
    async load({ api, url }) {
      const asked = { ...memberIn(url), page: pageIn(url.searchParams), kind, thread }
      return { ...(await api.read<typeof memberRemarks>('/user/control/commentList', asked)), kind, thread }
    },
  }
}
