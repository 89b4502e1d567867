import { redirect } from 'react-router'
import { idIn, memberIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { ThreadKind } from '#kind/contract.ts'
import type { listTags, myTags } from '#tag/contract.ts'
import type { editableTopic, memberTopics } from '#topic/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/editTopic',
    file: '/features/threads/topic/web/edit-topic-page.tsx',
    async load({ api, url }) {
      const topic = await api.read<typeof editableTopic>('/user/editTopic', { topicId: idIn(url.searchParams, 'topicId') ?? '' })
      if (topic.kind === 'question') throw redirect(`/user/editQuestion?questionId=${topic.topicId}`)
      const [{ tags }, { publishIn }] = await Promise.all([
        api.read<typeof listTags>('/tag/list', {}, { shared: true }),
        api.read<typeof myTags>('/tag/mine', {}),
      ])
      return { topic, tags, mayPostIn: publishIn }
    },
    head: (_, __, say) => ({ title: say('topic.editTitle', { kind: 'topic' }), isPrivate: true }),
  },
  threadScreen('topicList', 'topic'),
  threadScreen('questionList', 'question'),
]

function threadScreen(name: string, kind: ThreadKind): Screen {
  return {
    path: `/user/control/${name}`,
    file: '/features/threads/topic/web/topic-list-page.tsx',
    isInMemberArea: true,
    async load({ api, url }) {
      const asked = { ...memberIn(url), page: pageIn(url.searchParams), kind }
      return { ...(await api.read<typeof memberTopics>('/user/control/topicList', asked)), kind }
    },
  }
}
