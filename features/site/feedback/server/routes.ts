import { noteExport } from '#audit/server/audit.ts'
import { anyone, route, staff } from '#base/server/http/route.ts'
import * as contract from '#feedback/contract.ts'
import * as feedback from '#feedback/server/feedback.ts'
import { anyoneUnlessBanned } from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

const handles = staff('feedback.handle')

export const routes = [
  route(contract.feedbackForm, anyone, async ({ db }) => {
    const settings = await setting.all(db)
    return { isOpen: setting.openFunctions(settings).feedback, needsCaptcha: settings.feedbackCaptcha }
  }),
  route(
    contract.sendFeedback,
    anyoneUnlessBanned('feedback'),
    ({ db, viewer, input, client }) => feedback.send(db, viewer, input, client),
    {
      prepare: feedback.prepare,
      allowsExpiredToken: true,
      limits: [
        { times: 30, seconds: 3600, by: 'ip' },
        { times: 5, seconds: 3600, by: 'visitor', countsRefused: false },
        { times: 5, seconds: 3600, by: 'member', countsRefused: false },
      ],
    },
  ),
  route(contract.feedbackList, handles, ({ db, input }) => feedback.list(db, input)),
  route(contract.noteFeedbackExport, handles, noteExport('feedback.export')),
  route(contract.handleFeedback, handles, ({ db, viewer, input, client }) => feedback.handle(db, viewer.staff, client, input)),
  route(contract.removeFeedback, handles, ({ db, viewer, input, client }) => feedback.setDeleted(db, viewer, client, input, true)),
  route(contract.restoreFeedback, handles, ({ db, viewer, input, client }) => feedback.setDeleted(db, viewer, client, input, false)),
]
