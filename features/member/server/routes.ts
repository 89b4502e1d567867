import * as audit from '#audit/server/audit.ts'
import { on, staff } from '#base/server/route.ts'
import * as contract from '#member/contract.ts'
import { removeMemberFactor } from '#member/factor-contract.ts'
import * as many from '#member/many-contract.ts'
import * as joining from '#member/joining-contract.ts'
import { showRealName } from '#member/name-contract.ts'
import * as joiningDesk from '#member/server/joining.ts'
import * as atOnce from '#member/server/at-once.ts'
import * as bans from '#member/server/ban.ts'
import * as edit from '#member/server/edit.ts'
import * as list from '#member/server/list.ts'
import { showName } from '#member/server/show-name.ts'
import * as standing from '#member/server/standing.ts'
import * as view from '#member/server/view.ts'
import * as ways from '#member/server/ways.ts'
import * as waysContract from '#member/ways-contract.ts'

const views = staff('member.view')
const edits = staff('member.edit')
const access = staff('member.access', { proved: true })
const readsNames = staff('member.realName', { proved: true })
const decides = staff('member.approve')
const keepsAway = staff('member.ban', { proved: true })
const givesRoles = staff('role.manage', { proved: true })
const ends = staff('member.cancel', { proved: true })
const secretsAMinute = [{ times: 30, seconds: 60, by: 'ip' }] as const

export const routes = [
  on(contract.memberList, views, ({ db, input }) => list.list(db, input), {
    prepare: ({ input: { ip }, ...ask }) => audit.noteLook(ask, 'address.find', ip && `address ${ip}`),
  }),
  on(contract.noteExport, views, audit.noteFile('member.export')),
  on(contract.memberView, views, ({ db, input }) => view.show(db, input), {
    prepare: ({ input, ...ask }) => audit.noteLook(ask, 'address.read', input.addresses ? `member ${input.memberId}` : undefined),
  }),
  on(contract.memberLogins, views, ({ db, input }) => list.logins(db, input), {
    prepare: ({ input, ...ask }) => audit.noteLook(ask, 'address.read', `member ${input.memberId}`),
  }),
  on(showRealName, readsNames, ({ db, viewer, input, from }) => showName(db, viewer.staff, from, input), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
    secret: true,
  }),
  on(contract.addMember, edits, ({ db, viewer, input, from, prepared }) => edit.add(db, viewer.staff, from, input, prepared), {
    prepare: edit.newSecret,
    limits: secretsAMinute,
    secret: true,
  }),
  on(contract.editMember, edits, async ({ db, viewer, input, from }) => {
    await edit.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.setMemberRoles, givesRoles, async ({ db, viewer, input, from }) => {
    await edit.setRoles(db, viewer.staff, from, input)
    return {}
  }),
  on(
    contract.resetMemberPassword,
    access,
    ({ db, viewer, input, from, prepared }) => edit.resetPassword(db, viewer.staff, from, input, prepared),
    { prepare: edit.newSecret, limits: secretsAMinute, secret: true },
  ),
  on(contract.resetMemberHint, access, async ({ db, viewer, input, from }) => {
    await edit.resetHint(db, viewer.staff, from, input)
    return {}
  }),
  on(removeMemberFactor, access, async ({ db, viewer, input, from }) => {
    await edit.removeFactor(db, viewer.staff, from, input)
    return {}
  }),
  on(waysContract.unlinkOfMember, access, async ({ db, viewer, input, from }) => {
    await ways.unlink(db, viewer.staff, from, input)
    return {}
  }),
  on(waysContract.unbindOfMember, access, async ({ db, viewer, input, from }) => {
    await ways.unbind(db, viewer.staff, from, input)
    return {}
  }),
  on(waysContract.removePasskeyOfMember, access, async ({ db, viewer, input, from }) => {
    await ways.removePasskey(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.endMemberSessions, staff('member.access'), async ({ db, viewer, input, from }) => {
    await edit.endSessions(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.banMember, keepsAway, async ({ db, viewer, input, from }) => {
    await bans.ban(db, viewer.staff, from, input)
    return {}
  }),
  on(joining.joiningList, decides, ({ db, input }) => joiningDesk.list(db, input)),
  on(joining.approveJoining, decides, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.approve', input)),
  on(joining.refuseJoining, decides, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.refuse', input)),
  on(many.giveRoleToMany, givesRoles, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.giveRole', input)),
  on(many.takeRoleFromMany, givesRoles, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.takeRole', input)),
  on(many.banMany, keepsAway, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.ban', input)),
  on(many.disableMany, keepsAway, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.disable', input)),
  on(many.enableMany, keepsAway, ({ db, viewer, input, from }) => atOnce.begin(db, viewer, from, 'member.enable', input)),
  on(many.endSessionsOfMany, staff('member.access'), ({ db, viewer, input, from }) =>
    atOnce.begin(db, viewer, from, 'member.endSessions', input),
  ),
  on(contract.liftBan, keepsAway, async ({ db, viewer, input, from }) => {
    await bans.lift(db, viewer.staff, from, input.banId)
    return {}
  }),
  on(contract.disableMember, keepsAway, async ({ db, viewer, input, from }) => {
    await standing.disable(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.enableMember, keepsAway, async ({ db, viewer, input, from }) => {
    await standing.enable(db, viewer.staff, from, input.memberId)
    return {}
  }),
  on(contract.cancelMember, ends, async ({ db, viewer, input, from }) => {
    await standing.cancel(db, viewer.staff, from, input)
    return {}
  }),
  on(
    contract.restoreMember,
    ends,
    async ({ db, viewer, input, from }) => {
      await standing.restore(db, viewer.staff, from, input.memberId)
      return {}
    },
    { demandsKey: true },
  ),
  on(contract.addNote, views, async ({ db, viewer, input, from }) => {
    await edit.note(db, viewer.staff, from, input)
    return {}
  }),
]
