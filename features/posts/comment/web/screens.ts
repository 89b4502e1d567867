import { memberIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { memberComments, memberReplies } from '#comment/contract.ts'
import type { ThreadKind } from '#kind/contract.ts'

export const screens: readonly Screen[] = [
  responseScreen('commentList', '/user/control/commentList', 'topic'),
  responseScreen('replyList', '/user/control/replyList', 'topic'),
  responseScreen('answerList', '/user/control/commentList', 'question'),
  responseScreen('answerReplyList', '/user/control/replyList', 'question'),
]

type Call = '/user/control/commentList' | '/user/control/replyList'

function responseScreen(name: string, call: Call, thread: ThreadKind): Screen {
  return {
    path: `/user/control/${name}`,
    file: '/features/posts/comment/web/remark-list-page.tsx',
    isInMemberArea: true,
    async load({ api, url }) {
      const asked = { ...memberIn(url), page: pageIn(url.searchParams), thread }
      return { ...(await api.read<typeof memberComments | typeof memberReplies>(call, asked)), thread }
    },
  }
}
