import { on, staff } from '#base/server/route.ts'
import * as contract from '#frame/contract.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'
import * as sections from '#frame/server/sections.ts'
import * as slots from '#frame/server/slots.ts'

const manages = staff('frame.manage')

export const routes = [
  on(contract.sectionList, manages, ({ db }) => sections.list(db)),
  on(contract.addSection, manages, ({ db, viewer, input, from }) => sections.add(db, viewer.staff, from, input)),
  on(contract.editSection, manages, async ({ db, viewer, input, from }) => {
    await sections.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeSection, manages, async ({ db, viewer, input, from }) => {
    await sections.remove(db, viewer.staff, from, input.sectionId)
    return {}
  }),
  on(contract.slotList, manages, ({ db }) => slots.list(db)),
  on(contract.previewSlot, manages, async ({ input }) => cleanHtml(input.html)),
  // What stands around every page can ask anybody for anything.
  on(contract.editSlot, staff('frame.manage', { proved: true }), ({ db, viewer, input, from }) =>
    slots.edit(db, viewer.staff, from, input),
  ),
]
