import { randomUUID } from 'node:crypto'
import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database.ts'
import { on, staff, type From, type Staff } from '#base/server/route.ts'
import * as contract from '#delivery/contract.ts'
import * as listed from '#delivery/log-contract.ts'
import { board } from '#delivery/server/board.ts'
import { masked, send, type Sending } from '#delivery/server/delivery.ts'
import * as log from '#delivery/server/log.ts'
import type { Owners } from '#delivery/server/log.ts'
import * as templates from '#delivery/server/staff-templates.ts'
import * as template from '#delivery/template-contract.ts'

const views = staff('setting.view')
const changes = staff('setting.change', { proved: true })
const tests = staff('setting.change', { proved: true, within: 60 })
const limits = [{ times: 10, seconds: 3600, by: 'member' }] as const

/** What `delivery` cannot know by itself, since it lies above. */
export function routesFor(owners: Owners) {
  return [
    ...routes,
    on(listed.deliveryList, views, ({ db, input }) => log.list(db, owners, input), {
      prepare: ({ input: { to }, ...ask }) => log.noteLook(ask, to),
    }),
  ]
}

const routes = [
  on(template.templateList, views, ({ db }) => templates.list(db)),
  on(template.templateView, views, ({ db, input }) => templates.view(db, input)),
  on(template.previewTemplate, views, ({ db, input }) => templates.preview(db, input)),
  // What everybody is sent in the name of the site can ask anybody for anything.
  on(template.editTemplate, changes, async ({ db, viewer, input, from }) => {
    await templates.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(template.returnTemplate, changes, async ({ db, viewer, input, from }) => {
    await templates.giveBack(db, viewer.staff, from, input)
    return {}
  }),
  on(
    template.testTemplate,
    tests,
    async ({ db, viewer, input, from }) => {
      await templates.test(db, viewer, from, input)
      return {}
    },
    { limits },
  ),
  on(contract.deliveryBoard, views, ({ db, from }) => board(db, from)),
  on(
    contract.testEmail,
    tests,
    ({ db, viewer, input, from }) => test(db, viewer, from, { channel: 'email', to: input.email, template: 'test', values: {} }),
    { limits },
  ),
  // What a provider has approved is the text of a code alone.
  on(
    contract.testText,
    tests,
    ({ db, viewer, input, from }) =>
      test(db, viewer, from, { channel: 'sms', to: input.phone, template: 'code', values: { code: '000000', minutes: '10' } }),
    { limits },
  ),
]

async function test(tx: Db, viewer: Staff, from: From, what: Omit<Sending, 'effectKey' | 'language'>): Promise<Record<string, never>> {
  await send(tx, { ...what, effectKey: `test ${randomUUID()}`, use: 'tests', language: from.language })
  await audit.note(tx, viewer.staff, from, { deed: 'delivery.test', about: `delivery ${what.channel}`, after: { to: masked(what.to) } })
  return {}
}
