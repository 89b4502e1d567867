import { atMost, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#message/contract.ts'
import * as keeping from '#message/server/conversation-actions.ts'
import * as lists from '#message/server/lists.ts'
import { report } from '#message/server/report.ts'
import { prepare, send } from '#message/server/send.ts'
import * as settings from '#message/server/settings.ts'
import * as staffReports from '#message/server/staff-reports.ts'
import * as forStaff from '#message/staff-contract.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'

// Faster than anybody writes by hand.
const sendingLimits = atMost({ times: 40, seconds: 60 }, { times: 1_000, seconds: 86_400 })
const limits = atMost({ times: 60, seconds: 60 })
const reportLimits = atMost({ times: 10, seconds: 3_600 }, { times: 50, seconds: 86_400 })

const sees = staff('message.report')

export const routes = [
  route(contract.conversations, members, ({ db, viewer, input }) => lists.list(db, viewer, input), { fromPrimary: true }),
  route(contract.conversation, members, ({ db, viewer, input }) => lists.chat(db, viewer, input), { fromPrimary: true }),
  route(
    contract.send,
    members,
    async ({ db, viewer, input, client: { origin }, prepared: solved }) => ({ message: await send(db, viewer, input, { origin, solved }) }),
    { prepare, limits: sendingLimits, requiresIdempotencyKey: redEnvelope.isRequested },
  ),
  route(contract.markRead, members, ({ db, viewer, input }) => keeping.markRead(db, viewer, input)),
  route(contract.markAllRead, members, ({ db, viewer, input }) => keeping.markAllRead(db, viewer, input)),
  route(contract.accept, members, ({ db, viewer, input }) => keeping.accept(db, viewer, input), { limits }),
  route(contract.remove, members, ({ db, viewer, input }) => keeping.remove(db, viewer, input), { limits }),
  route(contract.messageSettings, members, ({ db, viewer }) => settings.show(db, viewer)),
  route(contract.changeMessageSettings, members, ({ db, viewer, input }) => settings.change(db, viewer, input.from), { limits }),
  route(contract.report, role.unlessBanned('report'), ({ db, viewer, input }) => report(db, viewer, input), { limits: reportLimits }),
  route(forStaff.messageReportList, sees, ({ db, viewer, input }) => staffReports.list(db, viewer, input)),
  route(forStaff.messageReportView, sees, ({ db, viewer, input }) => staffReports.view(db, viewer, input.reportId)),
  route(forStaff.openMessageReport, sees, ({ db, viewer, input, client }) => staffReports.open(db, viewer, client, input.reportId)),
  route(forStaff.decideMessageReport, sees, ({ db, viewer, input, client }) => staffReports.decide(db, viewer, client, input)),
]
