import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#follow/contract.ts'
import * as blocking from '#follow/server/blocking.ts'
import * as follow from '#follow/server/follow.ts'
import { createNotifications } from '#follow/server/watch-notifications.ts'
import * as lists from '#follow/server/lists.ts'

// Above any human rate of clicks.
const limits = atMost({ times: 60, seconds: 60 }, { times: 1_000, seconds: 86_400 })

export const routes = [
  route(contract.addFollow, members, ({ db, viewer, input }) => follow.add(db, viewer, input), { limits }),
  route(contract.removeFollow, members, ({ db, viewer, input }) => follow.remove(db, viewer, input), { limits }),
  route(contract.setLevel, members, ({ db, viewer, input }) => follow.setLevel(db, viewer, input), { limits }),
  route(contract.gatherNews, members, ({ db, viewer }) => createNotifications(db, viewer), { limits: atMost({ times: 30, seconds: 60 }) }),
  route(contract.followMine, members, ({ db, viewer }) => lists.mine(db, viewer)),
  route(contract.followOfMember, anyone, ({ db, viewer, input }) => lists.ofMember(db, viewer, input)),
  route(contract.followList, anyone, ({ db, viewer, input }) => lists.followed(db, viewer, input)),
  route(contract.followerList, anyone, ({ db, viewer, input }) => lists.followers(db, viewer, input)),
  route(contract.block, members, ({ db, viewer, input }) => blocking.add(db, viewer, input), { limits }),
  route(contract.unblock, members, ({ db, viewer, input }) => blocking.remove(db, viewer, input.userId), { limits }),
  route(contract.blockList, members, ({ db, viewer, input }) => blocking.list(db, viewer, input)),
]
