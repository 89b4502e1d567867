import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as contract from '#favourite/contract.ts'
import * as favourite from '#favourite/server/favourite.ts'
import * as folders from '#favourite/server/folders.ts'
import * as lists from '#favourite/server/lists.ts'

const limits = atMost({ times: 60, seconds: 60 }, { times: 1_000, seconds: 86_400 })

export const routes = [
  route(contract.addFavourite, members, ({ db, viewer, input }) => favourite.add(db, viewer, input.topicId), { limits }),
  route(contract.editFavourite, members, ({ db, viewer, input }) => favourite.edit(db, viewer, input), { limits }),
  route(contract.removeFavourite, members, ({ db, viewer, input }) => favourite.remove(db, viewer, input.topicId), { limits }),
  route(contract.favouriteForm, members, ({ db, viewer, input }) => lists.form(db, viewer, input.topicId)),
  route(contract.addFolder, members, ({ db, viewer, input }) => folders.add(db, viewer, input), { limits }),
  route(contract.editFolder, members, ({ db, viewer, input }) => folders.edit(db, viewer, input), { limits }),
  route(contract.removeFolder, members, ({ db, viewer, input }) => folders.remove(db, viewer, input.folderId), { limits }),
  route(contract.favouriteList, anyone, ({ db, viewer, input }) => lists.list(db, viewer, input)),
  route(contract.keepers, members, ({ db, viewer, input }) => lists.membersWith(db, viewer, input)),
]
