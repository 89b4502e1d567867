import { pageIn, memberIn, type Screen } from '#apps/web/screen.ts'
import type { userDynamicList } from '#activity/contract.ts'
import type { memberComments, memberReplies } from '#comment/contract.ts'
import type { ThreadKind } from '#kind/contract.ts'
import type { memberTopics } from '#topic/contract.ts'

const features = '../../features'

/** A member's posts, by kind. */
export const written: readonly Screen[] = [
  {
    path: '/user/control/userDynamicList',
    file: `${features}/activity/web/user-dynamic-list-page.tsx`,
    load({ api, url }) {
      const before = url.searchParams.get('before')
      return api.read<typeof userDynamicList>('/user/control/userDynamicList', { ...memberIn(url), ...(before && { before }) })
    },
  },
  threadScreen('topicList', 'topic'),
  responseScreen('commentList', '/user/control/commentList', 'topic'),
  responseScreen('replyList', '/user/control/replyList', 'topic'),
  threadScreen('questionList', 'question'),
  responseScreen('answerList', '/user/control/commentList', 'question'),
  responseScreen('answerReplyList', '/user/control/replyList', 'question'),
]

function threadScreen(name: string, kind: ThreadKind): Screen {
  return {
    path: `/user/control/${name}`,
    file: `${features}/topic/web/topic-list-page.tsx`,
    async load({ api, url }) {
      const asked = { ...memberIn(url), page: pageIn(url.searchParams), kind }
      return { ...(await api.read<typeof memberTopics>('/user/control/topicList', asked)), kind }
    },
  }
}

type Call = '/user/control/commentList' | '/user/control/replyList'

function responseScreen(name: string, call: Call, thread: ThreadKind): Screen {
  return {
    path: `/user/control/${name}`,
    file: `${features}/comment/web/remark-list-page.tsx`,
    async load({ api, url }) {
      const asked = { ...memberIn(url), page: pageIn(url.searchParams), thread }
      return { ...(await api.read<typeof memberComments | typeof memberReplies>(call, asked)), thread }
    },
  }
}
