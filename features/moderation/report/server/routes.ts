import { noteExport } from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import { atMost, members, route, staff } from '#base/server/http/route.ts'
import { dismissCases } from '#report/dismiss-contract.ts'
import { dismiss } from '#report/server/dismiss.ts'
import * as file from '#file/server/file.ts'
import * as ofCategory from '#report/category-contract.ts'
import * as contract from '#report/contract.ts'
import * as appeal from '#report/server/appeal.ts'
import * as category from '#report/server/category.ts'
import * as cases from '#report/server/cases.ts'
import { show } from '#report/server/case.ts'
import * as decide from '#report/server/decide.ts'
import * as mine from '#report/server/mine.ts'
import * as pictures from '#report/server/pictures.ts'
import * as report from '#report/server/report.ts'
import * as takeBack from '#report/server/take-back.ts'
import { unlessBanned } from '#role/server/role.ts'
import * as forStaff from '#report/staff-contract.ts'
import * as goingBack from '#report/undo-contract.ts'

const views = staff('report.view')
const decides = staff('report.decide')
const manages = staff('report.manage')
const reportLimits = atMost({ times: 20, seconds: 60 }, { times: 100, seconds: 86_400 })
const reasonLimits = atMost({ times: 10, seconds: 60 })

const ofMembers = [
  route(contract.reportForm, members, ({ db, viewer, input }) => report.form(db, viewer, input)),
  route(contract.addReport, unlessBanned('report'), ({ db, viewer, input }) => report.add(db, viewer, input), {
    prepare: report.prepare,
    limits: reportLimits,
  }),
  route(contract.supplyReason, members, ({ db, viewer, input }) => report.supply(db, viewer, input), { limits: reasonLimits }),
  route(contract.hideReport, members, ({ db, viewer, input }) => report.hide(db, viewer, input.reportId)),
  route(contract.myReports, members, ({ db, viewer, input }) => mine.reports(db, viewer, input.page)),
  route(contract.myRemovals, members, ({ db, viewer, input }) => mine.removals(db, viewer, input.page)),
  route(contract.appealRemoval, unlessBanned('appeal'), ({ db, viewer, input }) => mine.appeal(db, viewer, input), {
    limits: reasonLimits,
  }),
]

const ofCases = [
  route(forStaff.caseList, views, ({ db, viewer, input }) => cases.list(db, viewer, input)),
  route(forStaff.noteReportExport, views, noteExport('report.export')),
  route(forStaff.caseView, views, ({ db, viewer, input }) => show(db, viewer, input.caseId)),
  route(forStaff.reportPicture, views, async ({ db, input }) => {
    const pictureIds = (await pictures.of(db, [input.reportId])).get(input.reportId) ?? []
    const picture = pictureIds.includes(input.file) ? await file.pictureBytes(db, input.file) : null
    if (!picture) throw Missing()
    return { src: `data:${picture.type};base64,${picture.bytes.toString('base64')}` }
  }),
  route(forStaff.claimCase, decides, ({ db, viewer, input }) => decide.claim(db, viewer, input.caseId)),
  route(forStaff.releaseCase, decides, ({ db, viewer, input }) => decide.release(db, viewer.staff, input.caseId)),
  route(forStaff.askForReason, decides, ({ db, viewer, input, client }) => decide.requestReason(db, viewer, client, input)),
  route(dismissCases, decides, ({ db, viewer, input, client }) => dismiss(db, viewer, client, input)),
  route(forStaff.decideCase, decides, ({ db, viewer, input, client }) => decide.decide(db, viewer, client, input)),
  route(goingBack.takeBackCase, decides, ({ db, viewer, input, client }) => takeBack.ofCase(db, viewer, client, input)),
  route(forStaff.removeReport, decides, ({ db, viewer, input, client }) => decide.remove(db, viewer, client, input)),
  route(forStaff.restoreReport, decides, ({ db, viewer, input, client }) => decide.restore(db, viewer, client, input.reportId)),
]

const ofCategories = [
  route(ofCategory.categoryTree, views, ({ db }) => category.tree(db)),
  route(ofCategory.addCategory, manages, ({ db, viewer, input, client }) => category.add(db, viewer.staff, client, input)),
  route(ofCategory.editCategory, manages, ({ db, viewer, input, client }) => category.edit(db, viewer.staff, client, input)),
  route(ofCategory.removeCategory, manages, ({ db, viewer, input, client }) => category.remove(db, viewer.staff, client, input.categoryId)),
]

const ofAppeals = [
  route(forStaff.appealList, views, ({ db, viewer, input }) => appeal.list(db, viewer, input)),
  route(forStaff.noteAppealExport, views, noteExport('appeal.export')),
  route(forStaff.appealView, views, ({ db, viewer, input }) => appeal.show(db, viewer, input.removalId)),
  route(forStaff.claimAppeal, decides, ({ db, viewer, input }) => appeal.claim(db, viewer, input.removalId)),
  route(forStaff.decideAppeal, decides, ({ db, viewer, input, client }) => appeal.decide(db, viewer, client, input)),
  route(goingBack.takeBackAppeal, decides, ({ db, viewer, input, client }) => takeBack.ofAppeal(db, viewer, client, input)),
]

export const routes = [...ofMembers, ...ofCases, ...ofCategories, ...ofAppeals]
