import { anyone, atMost, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#poll/contract.ts'
import { edit } from '#poll/server/edit.ts'
import { endOwn } from '#poll/server/end.ts'
import { maxOptionsFor } from '#poll/server/publish.ts'
import * as show from '#poll/server/show.ts'
import * as forStaff from '#poll/server/staff.ts'
import { vote } from '#poll/server/vote.ts'
import * as role from '#role/server/role.ts'

// Above any human rate of clicks.
const limits = atMost({ times: 60, seconds: 60 }, { times: 2_000, seconds: 86_400 })
const stops = staff('poll.stop')

export const routes = [
  route(contract.pollForm, members, async ({ db, viewer }) => ({ maxOptions: await maxOptionsFor(db, viewer) })),
  route(contract.showPoll, anyone, ({ db, viewer, input }) => show.show(db, viewer, input.topicId), { fromPrimary: true }),
  route(contract.vote, role.unlessBanned('poll'), ({ db, viewer, input }) => vote(db, viewer, input), { limits }),
  route(contract.editPoll, role.unlessBanned('poll'), ({ db, viewer, input }) => edit(db, viewer, input), { limits }),
  route(contract.endPoll, members, ({ db, viewer, input }) => endOwn(db, viewer, input.topicId)),
  route(contract.pollVoters, anyone, ({ db, viewer, input }) => show.voters(db, viewer, input)),
  route(contract.pollForStaff, staff('content.view'), ({ db, input }) => forStaff.show(db, input.topicId)),
  route(contract.endPollAsStaff, stops, ({ db, viewer, client, input }) => forStaff.endAsStaff(db, viewer, client, input)),
  route(contract.removePollAsStaff, stops, ({ db, viewer, client, input }) => forStaff.remove(db, viewer, client, input)),
]
