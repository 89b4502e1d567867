import * as contract from '#user/contract.ts'
import { anyone, members, on } from '#base/server/route.ts'
import * as avatar from '#user/server/avatar.ts'
import * as profile from '#user/server/profile.ts'
import * as role from '#role/server/role.ts'

export const routes = [
  on(contract.home, anyone, ({ db, viewer, input }) => profile.show(db, viewer, input.userId)),
  on(contract.editableProfile, members, ({ db, viewer }) => profile.showEditable(db, viewer)),
  on(contract.editProfile, role.free('profile'), ({ db, viewer, from, input }) => profile.edit(db, viewer, from, input), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
  on(contract.suggestMembers, members, ({ db, input }) => profile.suggest(db, input.query), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  on(contract.updateAvatar, role.free('profile', 'upload'), ({ db, viewer, prepared }) => avatar.change(db, viewer, prepared), {
    uploadBytes: avatar.largestBytes,
    limits: [{ times: 10, seconds: 60, by: 'member' }],
    prepare: avatar.keep,
  }),
  on(contract.removeAvatar, role.free('profile'), ({ db, viewer }) => avatar.remove(db, viewer), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
  }),
]
