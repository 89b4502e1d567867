import { anyone, doneAtMost, members, on } from '#base/server/route.ts'
import { similarTopics, topicAuthor, topicsAlike } from '#topic/alike-contract.ts'
import * as contract from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import * as author from '#topic/server/author.ts'
import * as followed from '#topic/server/followed.ts'
import * as heat from '#topic/server/heat.ts'
import * as history from '#topic/server/history.ts'
import * as list from '#topic/server/list.ts'
import * as memberTopics from '#topic/server/member-topics.ts'
import * as publish from '#topic/server/publish.ts'
import * as similar from '#topic/server/similar.ts'
import * as thread from '#topic/server/thread.ts'
import { saw } from '#topic/server/views.ts'
import * as writing from '#writing/server/writing.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as role from '#role/server/role.ts'
import * as posts from '#post/server/post.ts'

// Writing a long post as Markdown takes milliseconds.
const copies = [
  { times: 30, seconds: 60, by: 'visitor' },
  { times: 60, seconds: 60, by: 'member' },
] as const
const aTopic = ({ topicId }: { topicId: string }) => [`topic:${topicId}`]

export const routes = [
  on(contract.listTopics, anyone, ({ db, viewer, input }) => list.list(db, viewer, input), {
    cacheTags: ({ tagId }) => [tagId ? `tag:${tagId}` : 'index', 'tags'],
  }),
  on(contract.thread, anyone, ({ db, viewer, input }) => thread.show(db, viewer, input.topicId), { cacheTags: aTopic }),
  on(
    contract.seenTopic,
    anyone,
    async ({ db, viewer, input, from }) => {
      await posts.findThread(db, viewer, input.topicId)
      saw(input.topicId, viewer, from)
      return {}
    },
    { takesStale: true, limits: [{ times: 240, seconds: 60, by: 'ip' }] },
  ),
  on(contract.topicMarkdown, anyone, ({ db, viewer, input }) => thread.markdown(db, viewer, input.topicId), {
    cacheTags: aTopic,
    limits: copies,
  }),
  on(contract.publishTopic, role.free('topic'), ({ db, viewer, input, from }) => publish.publish(db, viewer, input, from), {
    demandsKey: redEnvelope.isGiven,
    limits: doneAtMost({ times: 6, seconds: 60 }, { times: 100, seconds: 86_400 }),
  }),
  on(contract.topicForm, members, async ({ db, viewer }) => ({
    newcomer: await writing.newcomer(db, viewer),
    mostTags: (await setting.all(db)).maxQuestionTags,
  })),
  on(contract.editableTopic, members, ({ db, viewer, input }) => publish.source(db, viewer, input.topicId)),
  on(contract.editTopic, role.free('topic'), ({ db, viewer, input, from }) => publish.edit(db, viewer, input, from), {
    limits: doneAtMost({ times: 10, seconds: 60 }),
  }),
  on(contract.topicHistory, anyone, ({ db, viewer, input }) => history.list(db, viewer, input.topicId, input.page), { cacheTags: aTopic }),
  on(contract.removeTopic, members, ({ db, viewer, input, from }) => publish.remove(db, viewer, input, from), {
    limits: [{ times: 20, seconds: 60, by: 'member' }],
  }),
  on(contract.hotTopics, anyone, async ({ db, viewer, input }) => ({ topics: await heat.hottestFor(db, viewer, input.language) }), {
    cacheTags: () => ['titles'],
  }),
  on(similarTopics, anyone, async ({ db, viewer, input }) => ({ topics: await similar.list(db, viewer, input.topicId) }), {
    cacheTags: (input) => [...aTopic(input), 'titles'],
  }),
  on(topicsAlike, members, async ({ db, viewer, input }) => ({ topics: await similar.toTitle(db, viewer, input.title) }), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  on(topicAuthor, anyone, ({ db, viewer, input }) => author.show(db, viewer, input.topicId), {
    cacheTags: (input) => [...aTopic(input), 'titles'],
  }),
  on(followedThreads, members, ({ db, viewer, input }) => followed.list(db, viewer, input)),
  on(contract.memberTopics, anyone, ({ db, viewer, input }) => memberTopics.list(db, viewer, input)),
]
