import { anyone, members, on, staff } from '#base/server/route.ts'
import * as contract from '#identity/contract.ts'
import { shown } from '#identity/server/known.ts'
import * as linked from '#identity/server/linked.ts'
import * as providers from '#identity/server/staff.ts'
import * as way from '#identity/server/way.ts'
import * as staffContract from '#identity/staff-contract.ts'

const manages = staff('identity.manage')
const changes = staff('identity.manage', { proved: true })

const tries = [{ times: 20, seconds: 60, by: 'ip' }] as const

export const routes = [
  on(contract.listProviders, anyone, async ({ db, from }) => ({ providers: await shown(db, from) })),
  on(contract.beginWay, anyone, ({ db, viewer, input, prepared, from }) => way.begin(db, viewer, input, prepared, from), {
    prepare: way.lead,
    limits: tries,
    secret: true,
  }),
  on(contract.endWay, anyone, ({ db, viewer, prepared, from }) => way.end(db, viewer, prepared, from), {
    prepare: way.arrive,
    limits: tries,
    secret: true,
  }),
  on(contract.registerByTicket, anyone, ({ db, input, from }) => linked.register(db, input, from), {
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    takesStale: true,
    secret: true,
  }),
  on(contract.linkByTicket, members, async ({ db, viewer, input, from }) => {
    await linked.linkByTicket(db, viewer, input.ticket, from)
    return {}
  }),
  on(contract.signInMethods, members, ({ db, viewer, from }) => linked.methods(db, viewer, from)),
  on(contract.unlink, members, async ({ db, viewer, input }) => {
    await linked.unlink(db, viewer, input.identityId)
    return {}
  }),
  on(
    contract.setPassword,
    members,
    async ({ db, viewer, prepared }) => {
      await linked.keepPassword(db, viewer, prepared)
      return {}
    },
    { prepare: linked.preparePassword, limits: [{ times: 5, seconds: 60, by: 'member' }], secret: true },
  ),
  on(staffContract.providerList, manages, ({ db, from }) => providers.list(db, from)),
  on(staffContract.addProvider, changes, ({ db, viewer, input, from }) => providers.add(db, viewer.staff, from, input), { secret: true }),
  on(
    staffContract.editProvider,
    changes,
    async ({ db, viewer, input, from }) => {
      await providers.edit(db, viewer.staff, from, input)
      return {}
    },
    { secret: true },
  ),
  on(staffContract.tryProvider, manages, ({ prepared }) => Promise.resolve({ failure: prepared }), {
    prepare: providers.prepareTry,
    limits: [{ times: 20, seconds: 60, by: 'member' }],
  }),
  on(staffContract.removeProvider, changes, async ({ db, viewer, input, from }) => {
    await providers.remove(db, viewer.staff, from, input.providerId)
    return {}
  }),
]
