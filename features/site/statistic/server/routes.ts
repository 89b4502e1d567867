import * as audit from '#audit/server/audit.ts'
import { anyone, route, staff } from '#base/server/http/route.ts'
import { ownAccount } from '#staff/contract.ts'
import { addPageView, dashboard, notePageViewExport, pageViewList, waitingNow } from '#statistic/contract.ts'
import { show, views } from '#statistic/server/dashboard.ts'
import { waitingFor } from '#statistic/server/waiting.ts'
import { recordView } from '#statistic/server/statistic.ts'

export const routes = [
  route(dashboard, staff('statistic.view'), ({ db, viewer, input }) => show(db, viewer, input)),
  route(waitingNow, staff(ownAccount), ({ db, viewer }) => waitingFor(db, viewer)),
  route(pageViewList, staff('statistic.view'), ({ db, input }) => views(db, input), {
    prepare: ({ input: { ip }, ...ask }) => audit.noteAccess(ask, 'address.find', ip && `address ${ip}`),
  }),
  route(notePageViewExport, staff('statistic.view'), audit.noteExport('pageView.export')),
  route(
    addPageView,
    anyone,
    async ({ db, input, client }) => {
      recordView(db, client, input)
    },
    { allowsExpiredToken: true, limits: [{ times: 120, seconds: 60, by: 'ip' }] },
  ),
]
