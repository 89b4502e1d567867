import { pageOf } from '#base/server/long-text.ts'
import { anyone, members, on, staff } from '#base/server/route.ts'
import * as contract from '#help/contract.ts'
import * as help from '#help/server/help.ts'
import * as terms from '#help/server/terms.ts'
import * as write from '#help/server/write.ts'
import * as forStaff from '#help/staff-contract.ts'

const manages = staff('help.manage')
const cacheTags = () => ['help']

export const routes = [
  on(contract.termsOfService, anyone, ({ db, input }) => terms.show(db, input.language), { cacheTags: () => ['terms'] }),
  on(contract.myTerms, members, ({ db, viewer }) => terms.mine(db, viewer)),
  on(contract.agreeToTerms, members, async ({ db, viewer, input }) => {
    await terms.agree(db, viewer, input.termsId)
    return {}
  }),
  on(contract.helpTree, anyone, ({ db }) => help.tree(db), { cacheTags }),
  on(contract.helpPage, anyone, ({ db, input }) => help.show(db, input.pageId, input.language), { cacheTags }),

  on(forStaff.helpList, manages, ({ db }) => help.everything(db)),
  on(forStaff.helpSource, manages, ({ db, input }) => write.source(db, input.pageId)),
  on(forStaff.previewHelp, manages, async ({ input }) => ({ segments: (await pageOf(input.markdown)).segments })),
  on(forStaff.addHelp, manages, ({ db, viewer, input, from }) => write.add(db, viewer.staff, from, input)),
  on(forStaff.editHelp, manages, async ({ db, viewer, input, from }) => {
    await write.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(forStaff.removeHelp, manages, async ({ db, viewer, input, from }) => {
    await write.remove(db, viewer.staff, from, input.pageId)
    return {}
  }),
  on(forStaff.addHelpCategory, manages, ({ db, viewer, input, from }) => write.addCategory(db, viewer.staff, from, input)),
  on(forStaff.editHelpCategory, manages, async ({ db, viewer, input, from }) => {
    await write.editCategory(db, viewer.staff, from, input)
    return {}
  }),
  on(forStaff.removeHelpCategory, manages, async ({ db, viewer, input, from }) => {
    await write.removeCategory(db, viewer.staff, from, input.categoryId)
    return {}
  }),
  on(forStaff.termsList, manages, ({ db }) => terms.list(db)),
  on(forStaff.termsVersions, manages, ({ db, input }) => terms.versions(db, input)),
  on(forStaff.publishTerms, staff('help.manage', { proved: true }), ({ db, viewer, input, from }) =>
    terms.publish(db, viewer.staff, from, input),
  ),
]
