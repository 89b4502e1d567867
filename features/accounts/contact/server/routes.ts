import { members, route, type Route } from '#base/server/http/route.ts'
import { bindingCalls, kinds, type Kind } from '#contact/contract.ts'
import * as binding from '#contact/server/binding.ts'

const codes = { limits: [{ times: 30, seconds: 3600, by: 'member' }] } as const
const tryLimit = { limits: [{ times: 5, seconds: 60, by: 'member' }] } as const

export const routes = kinds.flatMap(routesOf)

function routesOf(kind: Kind): Route[] {
  const { look, sendCode, bind, stepOne, stepTwo } = bindingCalls[kind]
  return [
    route(look, members, ({ db, viewer }) => binding.show(db, viewer, kind)),
    route(sendCode, members, ({ db, viewer, input, prepared, client }) => binding.sendCode(db, viewer, input.about, prepared, client), {
      prepare: binding.prepareCode(kind),
      ...codes,
    }),
    route(bind, members, ({ db, viewer, prepared }) => binding.bindFirst(db, viewer, prepared), {
      prepare: binding.prepareFirst(kind),
      ...tryLimit,
    }),
    route(stepOne, members, ({ db, viewer }) => binding.storeProof(db, viewer, kind), { prepare: binding.prepareProof(kind), ...tryLimit }),
    route(stepTwo, members, ({ db, viewer, prepared }) => binding.change(db, viewer, prepared), {
      prepare: binding.prepareChange(kind),
      ...tryLimit,
    }),
  ]
}
