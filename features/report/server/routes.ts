import { noteFile } from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import { doneAtMost, members, on, staff } from '#base/server/route.ts'
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
import { free } from '#role/server/role.ts'
import * as forStaff from '#report/staff-contract.ts'
import * as goingBack from '#report/undo-contract.ts'

const views = staff('report.view')
const decides = staff('report.decide')
const manages = staff('report.manage')
const reportLimits = doneAtMost({ times: 20, seconds: 60 }, { times: 100, seconds: 86_400 })
const saidLimits = doneAtMost({ times: 10, seconds: 60 })

const ofMembers = [
  on(contract.reportForm, members, ({ db, viewer, input }) => report.form(db, viewer, input)),
  on(contract.addReport, free('report'), ({ db, viewer, input }) => report.add(db, viewer, input), {
    prepare: report.prepare,
    limits: reportLimits,
  }),
  on(
    contract.supplyReason,
    members,
    async ({ db, viewer, input }) => {
      await report.supply(db, viewer, input)
      return {}
    },
    { limits: saidLimits },
  ),
  on(contract.hideReport, members, async ({ db, viewer, input }) => {
    await report.hide(db, viewer, input.reportId)
    return {}
  }),
  on(contract.myReports, members, ({ db, viewer, input }) => mine.reports(db, viewer, input.page)),
  on(contract.myRemovals, members, ({ db, viewer, input }) => mine.removals(db, viewer, input.page)),
  on(
    contract.appealRemoval,
    free('appeal'),
    async ({ db, viewer, input }) => {
      await mine.appeal(db, viewer, input)
      return {}
    },
    { limits: saidLimits },
  ),
]

const ofCases = [
  on(forStaff.caseList, views, ({ db, viewer, input }) => cases.list(db, viewer, input)),
  on(forStaff.noteReportExport, views, noteFile('report.export')),
  on(forStaff.caseView, views, ({ db, viewer, input }) => show(db, viewer, input.caseId)),
  on(forStaff.reportPicture, views, async ({ db, input }) => {
    const shown = (await pictures.of(db, [input.reportId])).get(input.reportId) ?? []
    const picture = shown.includes(input.file) ? await file.pictureBytes(db, input.file) : null
    if (!picture) throw Missing()
    return { src: `data:${picture.type};base64,${picture.bytes.toString('base64')}` }
  }),
  on(forStaff.claimCase, decides, async ({ db, viewer, input }) => {
    await decide.claim(db, viewer, input.caseId)
    return {}
  }),
  on(forStaff.releaseCase, decides, async ({ db, viewer, input }) => {
    await decide.release(db, viewer.staff, input.caseId)
    return {}
  }),
  on(forStaff.askForReason, decides, async ({ db, viewer, input, from }) => {
    await decide.ask(db, viewer, from, input)
    return {}
  }),
  on(dismissCases, decides, ({ db, viewer, input, from }) => dismiss(db, viewer, from, input)),
  on(forStaff.decideCase, decides, async ({ db, viewer, input, from }) => {
    await decide.decide(db, viewer, from, input)
    return {}
  }),
  on(goingBack.takeBackCase, decides, ({ db, viewer, input, from }) => takeBack.ofCase(db, viewer, from, input)),
  on(forStaff.removeReport, decides, async ({ db, viewer, input, from }) => {
    await decide.remove(db, viewer, from, input)
    return {}
  }),
  on(forStaff.restoreReport, decides, async ({ db, viewer, input, from }) => {
    await decide.restore(db, viewer, from, input.reportId)
    return {}
  }),
]

const ofCategories = [
  on(ofCategory.categoryTree, views, ({ db }) => category.tree(db)),
  on(ofCategory.addCategory, manages, ({ db, viewer, input, from }) => category.add(db, viewer.staff, from, input)),
  on(ofCategory.editCategory, manages, async ({ db, viewer, input, from }) => {
    await category.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(ofCategory.removeCategory, manages, async ({ db, viewer, input, from }) => {
    await category.remove(db, viewer.staff, from, input.categoryId)
    return {}
  }),
]

const ofAppeals = [
  on(forStaff.appealList, views, ({ db, viewer, input }) => appeal.list(db, viewer, input)),
  on(forStaff.noteAppealExport, views, noteFile('appeal.export')),
  on(forStaff.appealView, views, ({ db, viewer, input }) => appeal.show(db, viewer, input.removalId)),
  on(forStaff.claimAppeal, decides, async ({ db, viewer, input }) => {
    await appeal.claim(db, viewer, input.removalId)
    return {}
  }),
  on(forStaff.decideAppeal, decides, async ({ db, viewer, input, from }) => {
    await appeal.decide(db, viewer, from, input)
    return {}
  }),
  on(goingBack.takeBackAppeal, decides, ({ db, viewer, input, from }) => takeBack.ofAppeal(db, viewer, from, input)),
]

export const routes = [...ofMembers, ...ofCases, ...ofCategories, ...ofAppeals]
