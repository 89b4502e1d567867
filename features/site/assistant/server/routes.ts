import * as contract from '#assistant/contract.ts'
import { begin, resume } from '#assistant/server/chat.ts'
import * as conversations from '#assistant/server/conversations.ts'
import { jobsOn } from '#assistant/server/models.ts'
import { staffRoutes } from '#assistant/server/staff-routes.ts'
import { leftToday } from '#assistant/server/usage.ts'
import { atMost, members, route, streamRoute } from '#base/server/http/route.ts'
import { improved, suggestions } from '#assistant/server/drafting.ts'
import { report } from '#assistant/server/report.ts'
import { summary, translation } from '#assistant/server/summary.ts'
import { reportAnswer } from '#assistant/report-contract.ts'
import * as made from '#assistant/generated-contract.ts'
import { asMember } from '#message/server/message.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

const asks = role.unlessBanned('assistant')
// Faster than any person asks. The daily limit is separate.
const limits = [{ times: 20, seconds: 60, by: 'member' }] as const
const reportLimits = atMost({ times: 10, seconds: 3_600 }, { times: 50, seconds: 86_400 })

export const routes = [
  streamRoute(contract.ask, asks, ({ db, viewer, input, client }) => asMember(db, viewer.id, (as) => begin(as, viewer, input, client)), {
    limits,
  }),
  streamRoute(contract.goOn, asks, ({ db, viewer, input, client }) => asMember(db, viewer.id, (as) => resume(as, viewer, input, client)), {
    limits,
  }),
  streamRoute(made.summarise, asks, ({ db, viewer, input, client }) => summary(db, viewer, input, client), { limits }),
  streamRoute(made.translate, asks, ({ db, viewer, input }) => translation(db, viewer, input), { limits }),
  streamRoute(made.improve, asks, ({ db, viewer, input, client }) => improved(db, viewer, input, client), { limits }),
  streamRoute(made.suggest, asks, ({ db, viewer, input, client }) => suggestions(db, viewer, input, client), { limits }),
  route(contract.assistantForm, members, async ({ db, viewer }) => {
    const [{ jobs, isStandIn }, { allowAssistant }, left] = await Promise.all([jobsOn(db), setting.all(db), leftToday(db, viewer.id)])
    return {
      allowChat: allowAssistant && jobs.includes('chat'),
      isPermitted: viewer.may('assistant.use'),
      jobs: allowAssistant ? jobs : [],
      leftToday: left,
      isStandIn,
    }
  }),
  route(
    contract.conversations,
    members,
    ({ db, viewer, input }) => asMember(db, viewer.id, (as) => conversations.list(as, viewer, input)),
    {
      fromPrimary: true,
    },
  ),
  route(
    contract.conversation,
    members,
    ({ db, viewer, input, client }) =>
      asMember(db, viewer.id, (as) => conversations.show(as, viewer, input.conversationId, client.language)),
    {
      fromPrimary: true,
    },
  ),
  route(contract.renameConversation, members, ({ db, viewer, input }) =>
    asMember(db, viewer.id, (as) => conversations.rename(as, viewer, input)),
  ),
  route(contract.removeConversation, members, ({ db, viewer, input }) =>
    asMember(db, viewer.id, (as) => conversations.remove(as, viewer, input.conversationId)),
  ),
  route(contract.removeConversations, members, ({ db, viewer }) => asMember(db, viewer.id, (as) => conversations.removeAll(as, viewer))),
  route(reportAnswer, role.unlessBanned('report'), ({ db, viewer, input }) => report(db, viewer, input), { limits: reportLimits }),
  ...staffRoutes,
]
