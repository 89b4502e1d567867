import { anyone, on } from '#base/server/route.ts'
import { termsOfService } from '#help/contract.ts'
import { terms } from '#help/server/help.ts'

export const routes = [on(termsOfService, anyone, ({ db, input }) => terms(db, input.language), { madeOf: () => ['setting'] })]
