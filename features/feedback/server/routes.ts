import { noteFile } from '#audit/server/audit.ts'
import { anyone, on, staff } from '#base/server/route.ts'
import * as contract from '#feedback/contract.ts'
import * as feedback from '#feedback/server/feedback.ts'
import { anyoneFree } from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

const handles = staff('feedback.handle')

export const routes = [
  on(contract.feedbackForm, anyone, async ({ db }) => {
    const settings = await setting.all(db)
    return { isOpen: setting.openOf(settings).feedback, needsCaptcha: settings.feedbackCaptcha }
  }),
  on(
    contract.sendFeedback,
    anyoneFree('feedback'),
    async ({ db, viewer, input, from }) => {
      await feedback.send(db, viewer, input, from)
      return {}
    },
    {
      prepare: feedback.prepare,
      takesStale: true,
      limits: [
        { times: 30, seconds: 3600, by: 'ip' },
        { times: 5, seconds: 3600, by: 'visitor', countsRefused: false },
        { times: 5, seconds: 3600, by: 'member', countsRefused: false },
      ],
    },
  ),
  on(contract.feedbackList, handles, ({ db, input }) => feedback.list(db, input)),
  on(contract.noteFeedbackExport, handles, noteFile('feedback.export')),
  on(contract.handleFeedback, handles, async ({ db, viewer, input, from }) => {
    await feedback.handle(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeFeedback, handles, async ({ db, viewer, input, from }) => {
    await feedback.turn(db, viewer, from, input, true)
    return {}
  }),
  on(contract.restoreFeedback, handles, async ({ db, viewer, input, from }) => {
    await feedback.turn(db, viewer, from, input, false)
    return {}
  }),
]
