import * as audit from '#audit/server/audit.ts'
import * as reportContract from '#assistant/report-contract.ts'
import * as promptContract from '#assistant/prompt-contract.ts'
import * as models from '#assistant/server/models-for-staff.ts'
import * as prompts from '#assistant/server/prompts-for-staff.ts'
import * as reports from '#assistant/server/reports-for-staff.ts'
import * as usage from '#assistant/server/usage-for-staff.ts'
import * as contract from '#assistant/staff-contract.ts'
import * as usageContract from '#assistant/usage-contract.ts'
import { doneAtMost, on, staff, type Before, type Staff } from '#base/server/route.ts'
import type { Test } from '#assistant/server/test-model.ts'
import type { ParsedInput } from '#base/contract.ts'

const views = staff('assistant.view')
const manages = staff('assistant.manage')
// Changes of where a key goes, and of what is paid for, ask for the password again.
const changes = staff('assistant.manage', { proved: true })
const seesReports = staff('assistant.report')

/** The result of testing a model. The library of models is loaded for it alone. */
async function tested(ask: Before<ParsedInput<typeof contract.testModel>, Staff>): Promise<Test> {
  const { prepareTest } = await import('#assistant/server/test-model.ts')
  return prepareTest(ask)
}

export const staffRoutes = [
  on(contract.modelList, views, ({ db }) => models.list(db)),
  on(contract.addModel, changes, ({ db, viewer, input, from }) => models.add(db, viewer.staff, from, input), { secret: true }),
  on(
    contract.editModel,
    changes,
    async ({ db, viewer, input, from }) => {
      await models.edit(db, viewer.staff, from, input)
      return {}
    },
    { secret: true },
  ),
  on(contract.switchModel, changes, async ({ db, viewer, input, from }) => {
    await models.switchTo(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeModel, changes, async ({ db, viewer, input, from }) => {
    await models.remove(db, viewer.staff, from, input.modelId)
    return {}
  }),
  on(contract.useStandIn, changes, async ({ db, viewer, from }) => {
    await models.standIn(db, viewer.staff, from)
    return {}
  }),
  on(contract.testModel, manages, ({ db, viewer, input, from, prepared }) => models.noteTested(db, viewer, from, input, prepared), {
    prepare: tested,
    limits: doneAtMost({ times: 20, seconds: 60 }),
  }),
  on(usageContract.usageView, views, ({ db, input }) => usage.show(db, input), { longRunning: true }),
  on(usageContract.noteUsageExport, views, audit.noteFile('assistantUsage.export')),
  on(promptContract.promptList, views, ({ db }) => prompts.list(db)),
  on(promptContract.previewPrompt, manages, ({ db, input }) => prompts.preview(db, input)),
  on(promptContract.editPrompt, manages, async ({ db, viewer, input, from }) => {
    await prompts.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(promptContract.returnPrompt, manages, async ({ db, viewer, input, from }) => {
    await prompts.giveBack(db, viewer.staff, from, input)
    return {}
  }),
  on(reportContract.answerReportList, seesReports, ({ db, viewer, input }) => reports.list(db, viewer, input)),
  on(reportContract.answerReportView, seesReports, ({ db, viewer, input }) => reports.view(db, viewer, input.reportId)),
  on(reportContract.openAnswerReport, seesReports, ({ db, viewer, input, from }) => reports.open(db, viewer, from, input.reportId)),
  on(reportContract.handleAnswerReport, seesReports, async ({ db, viewer, input, from }) => {
    await reports.handle(db, viewer, from, input)
    return {}
  }),
]
