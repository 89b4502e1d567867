import * as contract from '#user/contract.ts'
import { anyone, members, route } from '#base/server/http/route.ts'
import * as avatar from '#user/server/avatar.ts'
import * as profile from '#user/server/profile.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  route(contract.home, anyone, ({ db, viewer, input }) => profile.show(db, viewer, input.userId)),
  route(contract.editableProfile, members, ({ db, viewer }) => profile.showEditable(db, viewer)),
  route(contract.editProfile, role.unlessBanned('profile'), ({ db, viewer, client, input }) => profile.edit(db, viewer, client, input), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
  route(contract.suggestMembers, members, ({ db, input }) => profile.suggest(db, input.query), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  route(contract.updateAvatar, role.unlessBanned('profile', 'upload'), ({ db, viewer, prepared }) => avatar.change(db, viewer, prepared), {
    uploadBytes: avatar.maxBytes,
    limits: [{ times: 10, seconds: 60, by: 'member' }],
    prepare: avatar.storeUpload,
  }),
  route(contract.removeAvatar, role.unlessBanned('profile'), ({ db, viewer }) => avatar.remove(db, viewer), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
]
