import * as contract from '#account/register-contract.ts'
import * as registerBy from '#account/server/register-by.ts'
import { anyone, route } from '#base/server/http/route.ts'

export const routes = [
  route(contract.sendRegisterCode, anyone, ({ db, prepared, client }) => registerBy.sendCode(db, prepared, client), {
    prepare: registerBy.prepareCode,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
  }),
  route(contract.proveAddress, anyone, ({ db, prepared, client }) => registerBy.issueTicket(db, prepared, client), {
    prepare: registerBy.verifyCode,
    limits: [{ times: 20, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
  route(contract.registerBy, anyone, ({ db, input, prepared, client }) => registerBy.complete(db, input, prepared, client), {
    prepare: registerBy.prepare,
    limits: [
      { times: 30, seconds: 3600, by: 'ip' },
      { times: 3, seconds: 3600, by: 'visitor', countsRefused: false },
    ],
    allowsExpiredToken: true,
    secret: true,
  }),
]
