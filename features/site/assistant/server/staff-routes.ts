import * as audit from '#audit/server/audit.ts'
import * as reportContract from '#assistant/report-contract.ts'
import * as promptContract from '#assistant/prompt-contract.ts'
import * as models from '#assistant/server/models-for-staff.ts'
import * as prompts from '#assistant/server/prompts-for-staff.ts'
import * as reports from '#assistant/server/reports-for-staff.ts'
import * as usage from '#assistant/server/usage-for-staff.ts'
import * as contract from '#assistant/staff-contract.ts'
import * as usageContract from '#assistant/usage-contract.ts'
import { atMost, route, staff, type PrepareContext, type Staff } from '#base/server/http/route.ts'
import type { Test } from '#assistant/server/test-model.ts'
import type { ParsedInput } from '#base/contract.ts'

const views = staff('assistant.view')
const manages = staff('assistant.manage')
// Changes of the address for a key, or of costs, require a recent login.
const changes = staff('assistant.manage', { proved: true })
const seesReports = staff('assistant.report')

/** The result of a test of a model. Only this loads the client library. */
async function tested(context: PrepareContext<ParsedInput<typeof contract.testModel>, Staff>): Promise<Test> {
  const { prepareTest } = await import('#assistant/server/test-model.ts')
  return prepareTest(context)
}

export const staffRoutes = [
  route(contract.modelList, views, ({ db }) => models.list(db)),
  route(contract.addModel, changes, ({ db, viewer, input, client }) => models.add(db, viewer.staff, client, input), { secret: true }),
  route(contract.editModel, changes, ({ db, viewer, input, client }) => models.edit(db, viewer.staff, client, input), { secret: true }),
  route(contract.switchModel, changes, ({ db, viewer, input, client }) => models.switchTo(db, viewer.staff, client, input)),
  route(contract.removeModel, changes, ({ db, viewer, input, client }) => models.remove(db, viewer.staff, client, input.modelId)),
  route(contract.useStandIn, changes, ({ db, viewer, client }) => models.standIn(db, viewer.staff, client)),
  route(contract.testModel, manages, ({ db, viewer, input, client, prepared }) => models.recordTest(db, viewer, client, input, prepared), {
    prepare: tested,
    limits: atMost({ times: 20, seconds: 60 }),
  }),
  route(usageContract.usageView, views, ({ db, input }) => usage.show(db, input), { longRunning: true }),
  route(usageContract.noteUsageExport, views, audit.noteExport('assistantUsage.export')),
  route(promptContract.promptList, views, ({ db }) => prompts.list(db)),
  route(promptContract.previewPrompt, manages, ({ db, input }) => prompts.preview(db, input)),
  route(promptContract.editPrompt, manages, ({ db, viewer, input, client }) => prompts.edit(db, viewer.staff, client, input)),
  route(promptContract.returnPrompt, manages, ({ db, viewer, input, client }) => prompts.restoreDefault(db, viewer.staff, client, input)),
  route(reportContract.answerReportList, seesReports, ({ db, viewer, input }) => reports.list(db, viewer, input)),
  route(reportContract.answerReportView, seesReports, ({ db, viewer, input }) => reports.view(db, viewer, input.reportId)),
  route(reportContract.openAnswerReport, seesReports, ({ db, viewer, input, client }) => reports.open(db, viewer, client, input.reportId)),
  route(reportContract.handleAnswerReport, seesReports, ({ db, viewer, input, client }) => reports.handle(db, viewer, client, input)),
]
