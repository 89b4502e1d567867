import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#like/contract.ts'
import * as like from '#like/server/like.ts'
import * as lists from '#like/server/lists.ts'
import * as role from '#role/server/role.ts'

// Above any human rate of clicks.
const limits = atMost({ times: 60, seconds: 60 }, { times: 2_000, seconds: 86_400 })

export const routes = [
  route(contract.addLike, role.unlessBanned('like'), ({ db, viewer, input }) => like.add(db, viewer, input), { limits }),
  route(contract.removeLike, members, ({ db, viewer, input }) => like.remove(db, viewer, input), { limits }),
  route(contract.likers, anyone, ({ db, viewer, input }) => lists.likersOf(db, viewer, input)),
  route(contract.myLikes, members, ({ db, viewer, input }) => lists.mine(db, viewer, input)),
  route(contract.likesOfTopic, members, ({ db, viewer, input }) => lists.likersOfMine(db, viewer, input)),
]
