import { randomUUID } from 'node:crypto'
import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import { route, staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import * as contract from '#delivery/contract.ts'
import * as listed from '#delivery/log-contract.ts'
import { board } from '#delivery/server/board.ts'
import { masked, send, type OutboundMessage } from '#delivery/server/delivery.ts'
import * as log from '#delivery/server/log.ts'
import * as templates from '#delivery/server/staff-templates.ts'
import * as template from '#delivery/template-contract.ts'

const views = staff('setting.view')
const changes = staff('setting.change', { proved: true })
const tests = staff('setting.change', { proved: true, within: 60 })
const limits = [{ times: 10, seconds: 3600, by: 'member' }] as const

export const routes = [
  route(template.templateList, views, ({ db }) => templates.list(db)),
  route(template.templateView, views, ({ db, input }) => templates.view(db, input)),
  route(template.previewTemplate, views, ({ db, input }) => templates.preview(db, input)),
  // These texts are sent to everybody in the name of the site, so they could be used for phishing.
  route(template.editTemplate, changes, ({ db, viewer, input, client }) => templates.edit(db, viewer.staff, client, input)),
  route(template.returnTemplate, changes, ({ db, viewer, input, client }) => templates.restoreDefault(db, viewer.staff, client, input)),
  route(template.testTemplate, tests, ({ db, viewer, input, client }) => templates.test(db, viewer, client, input), { limits }),
  route(contract.deliveryBoard, views, ({ db, client }) => board(db, client)),
  route(
    contract.testEmail,
    tests,
    ({ db, viewer, input, client }) => test(db, viewer, client, { channel: 'email', to: input.email, template: 'test', values: {} }),
    { limits },
  ),
  // Providers approve only the text of a code.
  route(
    contract.testText,
    tests,
    ({ db, viewer, input, client }) =>
      test(db, viewer, client, { channel: 'sms', to: input.phone, template: 'code', values: { code: '000000', minutes: '10' } }),
    { limits },
  ),
  route(listed.deliveryList, views, ({ db, input }) => log.list(db, input), {
    prepare: ({ input: { to }, ...ask }) => log.logSearch(ask, to),
  }),
]

async function test(
  tx: Db,
  viewer: Staff,
  client: ClientInfo,
  what: Omit<OutboundMessage, 'effectKey' | 'language'>,
): Promise<Record<string, never>> {
  await send(tx, { ...what, effectKey: `test ${randomUUID()}`, use: 'tests', language: client.language })
  await audit.note(tx, viewer.staff, client, { action: 'delivery.test', about: `delivery ${what.channel}`, after: { to: masked(what.to) } })
  return {}
}
