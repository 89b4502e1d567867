import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#identity/contract.ts'
import { usableProviders } from '#identity/server/provider-queries.ts'
import * as linked from '#identity/server/linked.ts'
import * as providers from '#identity/server/staff.ts'
import * as way from '#identity/server/provider-login.ts'
import * as staffContract from '#identity/staff-contract.ts'

const manages = staff('identity.manage')
const changes = staff('identity.manage', { proved: true })

const tryLimit = [{ times: 20, seconds: 60, by: 'ip' }] as const

export const routes = [
  route(contract.listProviders, anyone, async ({ db, client }) => ({ providers: await usableProviders(db, client) })),
  route(contract.beginWay, anyone, ({ db, viewer, input, prepared, client }) => way.start(db, viewer, input, prepared, client), {
    prepare: way.prepareStart,
    limits: tryLimit,
    secret: true,
  }),
  route(contract.endWay, anyone, ({ db, viewer, prepared, client }) => way.end(db, viewer, prepared, client), {
    prepare: way.prepareEnd,
    limits: tryLimit,
    secret: true,
  }),
  route(contract.registerByTicket, anyone, ({ db, input, client }) => linked.register(db, input, client), {
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(contract.linkByTicket, members, ({ db, viewer, input, client }) => linked.linkByTicket(db, viewer, input.ticket, client)),
  route(contract.signInMethods, members, ({ db, viewer, client }) => linked.methods(db, viewer, client)),
  route(contract.unlink, members, ({ db, viewer, input }) => linked.unlink(db, viewer, input.identityId)),
  route(contract.setPassword, members, ({ db, viewer, prepared }) => linked.savePassword(db, viewer, prepared), {
    prepare: linked.preparePassword,
    limits: [{ times: 5, seconds: 60, by: 'member' }],
    secret: true,
  }),
  route(staffContract.providerList, manages, ({ db, client }) => providers.list(db, client)),
  route(staffContract.addProvider, changes, ({ db, viewer, input, client }) => providers.add(db, viewer.staff, client, input), {
    secret: true,
  }),
  route(staffContract.editProvider, changes, ({ db, viewer, input, client }) => providers.edit(db, viewer.staff, client, input), {
    secret: true,
  }),
  route(staffContract.tryProvider, manages, ({ prepared }) => Promise.resolve({ failure: prepared }), {
    prepare: providers.prepareTry,
    limits: [{ times: 20, seconds: 60, by: 'member' }],
  }),
  route(staffContract.removeProvider, changes, ({ db, viewer, input, client }) =>
    providers.remove(db, viewer.staff, client, input.providerId),
  ),
]
