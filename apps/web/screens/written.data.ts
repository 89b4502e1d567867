import { pageIn, whose, type Screen } from '#apps/web/screen.ts'
import type { userDynamicList } from '#activity/contract.ts'
import type { memberComments, memberReplies } from '#comment/contract.ts'
import type { ThreadKind } from '#kind/contract.ts'
import type { memberTopics } from '#topic/contract.ts'

const features = '../../features'

/** What a member wrote, by kind. */
export const written: readonly Screen[] = [
  {
    path: '/user/control/userDynamicList',
    file: `${features}/activity/web/user-dynamic-list-page.tsx`,
    load({ api, url }) {
      const before = url.searchParams.get('before')
      return api.read<typeof userDynamicList>('/user/control/userDynamicList', { ...whose(url), ...(before && { before }) })
    },
    head: ({ user }: Whose, _, say) => ({ title: say('activity.of', { name: user.name }), isPrivate: true }),
  },
  threadScreen('topicList', 'topic', 'topic.topicsOf'),
  remarkScreen('commentList', '/user/control/commentList', 'topic', 'comment.commentsOf'),
  remarkScreen('replyList', '/user/control/replyList', 'topic', 'comment.repliesOf'),
  threadScreen('questionList', 'question', 'question.questionsOf'),
  remarkScreen('answerList', '/user/control/commentList', 'question', 'comment.commentsOf'),
  remarkScreen('answerReplyList', '/user/control/replyList', 'question', 'comment.repliesOf'),
]

type Whose = { user: { name: string } }

function threadScreen(name: string, kind: ThreadKind, title: string): Screen {
  return {
    path: `/user/control/${name}`,
    file: `${features}/topic/web/topic-list-page.tsx`,
    async load({ api, url }) {
      const asked = { ...whose(url), page: pageIn(url.searchParams), kind }
      return { ...(await api.read<typeof memberTopics>('/user/control/topicList', asked)), kind }
    },
    head: ({ user }: Whose, _, say) => ({ title: say(title, { name: user.name, kind }), isPrivate: true }),
  }
}

type Call = '/user/control/commentList' | '/user/control/replyList'

function remarkScreen(name: string, call: Call, thread: ThreadKind, title: string): Screen {
  return {
    path: `/user/control/${name}`,
    file: `${features}/comment/web/remark-list-page.tsx`,
    async load({ api, url }) {
      const asked = { ...whose(url), page: pageIn(url.searchParams), thread }
      return { ...(await api.read<typeof memberComments | typeof memberReplies>(call, asked)), thread }
    },
    head: ({ user }: Whose, _, say) => ({ title: say(title, { name: user.name, of: thread }), isPrivate: true }),
  }
}
