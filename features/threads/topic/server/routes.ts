import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import { similarTopics, topicAuthor, topicsAlike } from '#topic/similar-contract.ts'
import * as contract from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import * as author from '#topic/server/author.ts'
import * as followed from '#topic/server/followed.ts'
import * as heat from '#topic/server/heat.ts'
import * as history from '#topic/server/history.ts'
import * as list from '#topic/server/list.ts'
import * as memberTopics from '#topic/server/member-topics.ts'
import { partsRequireKey } from '#topic/server/parts.ts'
import * as publish from '#topic/server/publish.ts'
import * as similar from '#topic/server/similar.ts'
import * as thread from '#topic/server/thread.ts'
import { recordView } from '#topic/server/views.ts'
import * as writing from '#writing/server/writing.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as role from '#role/server/role.ts'
import * as posts from '#post/server/post.ts'
import * as tag from '#tag/server/tag.ts'

// Markdown of a long post takes milliseconds of CPU time.
const copies = [
  { times: 30, seconds: 60, by: 'visitor' },
  { times: 60, seconds: 60, by: 'member' },
] as const
const aTopic = ({ topicId }: { topicId: string }) => [`topic:${topicId}`]

export const routes = [
  route(contract.listTopics, anyone, ({ db, viewer, input }) => list.list(db, viewer, input), {
    cacheTags: ({ tagId, sort }) => [tag.listTag(tagId), 'tags', ...(sort === 'new' ? [] : [tag.activityTag(tagId)])],
  }),
  route(contract.thread, anyone, ({ db, viewer, input }) => thread.show(db, viewer, input.topicId), { cacheTags: aTopic }),
  route(
    contract.seenTopic,
    anyone,
    async ({ db, viewer, input, client }) => {
      await posts.findThread(db, viewer, input.topicId)
      recordView(db, input.topicId, viewer, client)
    },
    { allowsExpiredToken: true, limits: [{ times: 240, seconds: 60, by: 'ip' }] },
  ),
  route(contract.topicMarkdown, anyone, ({ db, viewer, input }) => thread.markdown(db, viewer, input.topicId), {
    cacheTags: aTopic,
    limits: copies,
  }),
  route(contract.publishTopic, role.unlessBanned('topic'), ({ db, viewer, input, client }) => publish.publish(db, viewer, input, client), {
    requiresIdempotencyKey: (input, db) => redEnvelope.isRequested(input) || partsRequireKey(db, input.parts),
    limits: atMost({ times: 6, seconds: 60 }, { times: 100, seconds: 86_400 }),
  }),
  route(contract.topicForm, members, async ({ db, viewer }) => ({
    newcomer: await writing.newcomer(db, viewer),
    mostTags: (await setting.all(db)).maxQuestionTags,
  })),
  route(contract.editableTopic, members, ({ db, viewer, input }) => publish.source(db, viewer, input.topicId)),
  route(contract.editTopic, role.unlessBanned('topic'), ({ db, viewer, input, client }) => publish.edit(db, viewer, input, client), {
    limits: atMost({ times: 10, seconds: 60 }),
  }),
  route(contract.topicHistory, anyone, ({ db, viewer, input }) => history.list(db, viewer, input.topicId, input.page), {
    cacheTags: aTopic,
  }),
  route(contract.removeTopic, members, ({ db, viewer, input, client }) => publish.remove(db, viewer, input, client), {
    limits: [{ times: 20, seconds: 60, by: 'member' }],
  }),
  route(contract.hotTopics, anyone, async ({ db, viewer, input }) => ({ topics: await heat.hottestFor(db, viewer, input.language) }), {
    cacheTags: () => ['titles'],
  }),
  route(similarTopics, anyone, async ({ db, viewer, input }) => ({ topics: await similar.list(db, viewer, input.topicId) }), {
    cacheTags: () => ['titles'],
  }),
  route(topicsAlike, members, async ({ db, viewer, input }) => ({ topics: await similar.forTitle(db, viewer, input.title) }), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  route(topicAuthor, anyone, ({ db, viewer, input }) => author.show(db, viewer, input.topicId), {
    cacheTags: ({ topicId }) => ['titles', posts.openerTag(topicId)],
  }),
  route(followedThreads, members, ({ db, viewer, input }) => followed.list(db, viewer, input)),
  route(contract.memberTopics, anyone, ({ db, viewer, input }) => memberTopics.list(db, viewer, input)),
]
