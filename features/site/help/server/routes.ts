import { renderPage } from '#base/server/long-text.ts'
import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#help/contract.ts'
import * as help from '#help/server/help.ts'
import * as terms from '#help/server/terms.ts'
import * as write from '#help/server/write.ts'
import * as forStaff from '#help/staff-contract.ts'

const manages = staff('help.manage')
const cacheTags = () => ['help']

export const routes = [
  route(contract.termsOfService, anyone, ({ db, input }) => terms.show(db, input.language), { cacheTags: () => ['terms'] }),
  route(contract.myTerms, members, ({ db, viewer }) => terms.mine(db, viewer)),
  route(contract.agreeToTerms, members, ({ db, viewer, input }) => terms.agree(db, viewer, input.termsId)),
  route(contract.helpTree, anyone, ({ db }) => help.tree(db), { cacheTags }),
  route(contract.helpPage, anyone, ({ db, input }) => help.show(db, input.pageId, input.language), { cacheTags }),

  route(forStaff.helpList, manages, ({ db }) => help.allPages(db)),
  route(forStaff.helpSource, manages, ({ db, input }) => write.source(db, input.pageId)),
  route(forStaff.previewHelp, manages, async ({ input }) => ({ segments: (await renderPage(input.markdown)).segments })),
  route(forStaff.addHelp, manages, ({ db, viewer, input, client }) => write.add(db, viewer.staff, client, input)),
  route(forStaff.editHelp, manages, ({ db, viewer, input, client }) => write.edit(db, viewer.staff, client, input)),
  route(forStaff.removeHelp, manages, ({ db, viewer, input, client }) => write.remove(db, viewer.staff, client, input.pageId)),
  route(forStaff.addHelpCategory, manages, ({ db, viewer, input, client }) => write.addCategory(db, viewer.staff, client, input)),
  route(forStaff.editHelpCategory, manages, ({ db, viewer, input, client }) => write.editCategory(db, viewer.staff, client, input)),
  route(forStaff.removeHelpCategory, manages, ({ db, viewer, input, client }) =>
    write.removeCategory(db, viewer.staff, client, input.categoryId),
  ),
  route(forStaff.termsList, manages, ({ db }) => terms.list(db)),
  route(forStaff.termsVersions, manages, ({ db, input }) => terms.versions(db, input)),
  route(forStaff.publishTerms, staff('help.manage', { proved: true }), ({ db, viewer, input, client }) =>
    terms.publish(db, viewer.staff, client, input),
  ),
]
