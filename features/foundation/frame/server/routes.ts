import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#frame/contract.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'
import * as sections from '#frame/server/sections.ts'
import * as slots from '#frame/server/slots.ts'

const manages = staff('frame.manage')

export const routes = [
  route(contract.sectionList, manages, ({ db }) => sections.list(db)),
  route(contract.addSection, manages, ({ db, viewer, input, client }) => sections.add(db, viewer.staff, client, input)),
  route(contract.editSection, manages, ({ db, viewer, input, client }) => sections.edit(db, viewer.staff, client, input)),
  route(contract.removeSection, manages, ({ db, viewer, input, client }) => sections.remove(db, viewer.staff, client, input.sectionId)),
  route(contract.slotList, manages, ({ db }) => slots.list(db)),
  route(contract.previewSlot, manages, async ({ input }) => cleanHtml(input.html)),
  // HTML on every page could ask for passwords, so it requires a recent login.
  route(contract.editSlot, staff('frame.manage', { proved: true }), ({ db, viewer, input, client }) =>
    slots.edit(db, viewer.staff, client, input),
  ),
]
