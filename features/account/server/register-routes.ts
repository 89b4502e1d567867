import * as contract from '#account/register-contract.ts'
import * as registerBy from '#account/server/register-by.ts'
import { anyone, on } from '#base/server/route.ts'

export const routes = [
  on(
    contract.sendRegisterCode,
    anyone,
    async ({ db, prepared, from }) => {
      await registerBy.sendCode(db, prepared, from)
      return {}
    },
    { prepare: registerBy.prepareCode, limits: [{ times: 20, seconds: 60, by: 'ip' }], takesStale: true },
  ),
  on(contract.proveAddress, anyone, ({ db, prepared, from }) => registerBy.giveTicket(db, prepared, from), {
    prepare: registerBy.prove,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
  on(contract.registerBy, anyone, ({ db, input, prepared, from }) => registerBy.join(db, input, prepared, from), {
    prepare: registerBy.prepare,
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    takesStale: true,
    secret: true,
  }),
]
