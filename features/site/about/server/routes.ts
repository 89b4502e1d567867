import * as contract from '#about/contract.ts'
import * as about from '#about/server/about.ts'
import { anyone, route } from '#base/server/http/route.ts'

export const routes = [
  route(contract.welcome, anyone, ({ db, viewer, input }) => about.greet(db, viewer, input.language), { cacheTags: () => ['titles'] }),
  route(contract.about, anyone, ({ db, viewer }) => about.show(db, viewer), { cacheTags: () => ['tagCounts'] }),
]
