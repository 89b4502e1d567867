import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#follow/contract.ts'
import * as blocking from '#follow/server/blocking.ts'
import * as follow from '#follow/server/follow.ts'
import { createNotifications } from '#follow/server/watch-notifications.ts'
import * as lists from '#follow/server/lists.ts'

// Above any human rate of clicks.
const limits = atMost({ times: 60, seconds: 60 }, { times: 1_000, seconds: 86_400 })

export const routes = [
  route(
    contract.addFollow,
    members,
    async ({ db, viewer, input }) => {
      await follow.add(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.removeFollow,
    members,
    async ({ db, viewer, input }) => {
      await follow.remove(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.setLevel,
    members,
    async ({ db, viewer, input }) => {
      await follow.setLevel(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.gatherNews,
    members,
    async ({ db, viewer }) => {
      await createNotifications(db, viewer)
      return {}
    },
    { limits: atMost({ times: 30, seconds: 60 }) },
  ),
  route(contract.followMine, members, ({ db, viewer }) => lists.mine(db, viewer)),
  route(contract.followOfMember, anyone, ({ db, viewer, input }) => lists.ofMember(db, viewer, input)),
  route(contract.followList, anyone, ({ db, viewer, input }) => lists.followed(db, viewer, input)),
  route(contract.followerList, anyone, ({ db, viewer, input }) => lists.followers(db, viewer, input)),
  route(
    contract.block,
    members,
    async ({ db, viewer, input }) => {
      await blocking.add(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.unblock,
    members,
    async ({ db, viewer, input }) => {
      await blocking.remove(db, viewer, input.userId)
      return {}
    },
    { limits },
  ),
  route(contract.blockList, members, ({ db, viewer, input }) => blocking.list(db, viewer, input)),
]
