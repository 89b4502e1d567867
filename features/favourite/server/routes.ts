import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#favourite/contract.ts'
import * as favourite from '#favourite/server/favourite.ts'
import * as folders from '#favourite/server/folders.ts'
import * as lists from '#favourite/server/lists.ts'

const limits = atMost({ times: 60, seconds: 60 }, { times: 1_000, seconds: 86_400 })

export const routes = [
  route(
    contract.addFavourite,
    members,
    async ({ db, viewer, input }) => {
      await favourite.add(db, viewer, input.topicId)
      return {}
    },
    { limits },
  ),
  route(
    contract.editFavourite,
    members,
    async ({ db, viewer, input }) => {
      await favourite.edit(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.removeFavourite,
    members,
    async ({ db, viewer, input }) => {
      await favourite.remove(db, viewer, input.topicId)
      return {}
    },
    { limits },
  ),
  route(contract.favouriteForm, members, ({ db, viewer, input }) => lists.form(db, viewer, input.topicId)),
  route(contract.addFolder, members, ({ db, viewer, input }) => folders.add(db, viewer, input), { limits }),
  route(
    contract.editFolder,
    members,
    async ({ db, viewer, input }) => {
      await folders.edit(db, viewer, input)
      return {}
    },
    { limits },
  ),
  route(
    contract.removeFolder,
    members,
    async ({ db, viewer, input }) => {
      await folders.remove(db, viewer, input.folderId)
      return {}
    },
    { limits },
  ),
  route(contract.favouriteList, anyone, ({ db, viewer, input }) => lists.list(db, viewer, input)),
  route(contract.keepers, members, ({ db, viewer, input }) => lists.membersWith(db, viewer, input)),
]
