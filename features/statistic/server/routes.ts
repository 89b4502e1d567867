import * as audit from '#audit/server/audit.ts'
import { anyone, on, staff } from '#base/server/route.ts'
import { own } from '#staff/contract.ts'
import { addPageView, dashboard, notePageViewExport, pageViewList, waitingNow } from '#statistic/contract.ts'
import { show, views } from '#statistic/server/dashboard.ts'
import { waitingFor } from '#statistic/server/waiting.ts'
import { note } from '#statistic/server/statistic.ts'

export const routes = [
  on(dashboard, staff('statistic.view'), ({ db, viewer, input }) => show(db, viewer, input)),
  on(waitingNow, staff(own), ({ db, viewer }) => waitingFor(db, viewer)),
  on(pageViewList, staff('statistic.view'), ({ db, input }) => views(db, input), {
    prepare: ({ input: { ip }, ...ask }) => audit.noteLook(ask, 'address.find', ip && `address ${ip}`),
  }),
  on(notePageViewExport, staff('statistic.view'), audit.noteFile('pageView.export')),
  on(
    addPageView,
    anyone,
    async ({ input, from }) => {
      note(from, input)
      return {}
    },
    { takesStale: true, limits: [{ times: 120, seconds: 60, by: 'ip' }] },
  ),
]
