import * as audit from '#audit/server/audit.ts'
import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#member/contract.ts'
import { removeMemberFactor } from '#member/factor-contract.ts'
import * as many from '#member/many-contract.ts'
import * as joining from '#member/joining-contract.ts'
import { endMemberTokens } from '#member/token-contract.ts'
import { showRealName } from '#member/name-contract.ts'
import * as joiningDesk from '#member/server/registration-approval.ts'
import * as atOnce from '#member/server/bulk-actions.ts'
import * as bans from '#member/server/ban.ts'
import * as edit from '#member/server/edit.ts'
import * as list from '#member/server/list.ts'
import { showName } from '#member/server/show-name.ts'
import * as standing from '#member/server/account-status.ts'
import * as view from '#member/server/view.ts'
import * as ways from '#member/server/login-methods.ts'
import * as waysContract from '#member/methods-contract.ts'

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
  route(contract.memberList, views, ({ db, input }) => list.list(db, input), {
    prepare: ({ input: { ip }, ...ask }) => audit.noteAccess(ask, 'address.find', ip && `address ${ip}`),
  }),
  route(contract.noteExport, views, audit.noteExport('member.export')),
  route(contract.memberView, views, ({ db, input }) => view.show(db, input), {
    prepare: ({ input, ...ask }) => audit.noteAccess(ask, 'address.read', input.addresses ? `member ${input.memberId}` : undefined),
  }),
  route(contract.memberLogins, views, ({ db, input }) => list.logins(db, input), {
    prepare: ({ input, ...ask }) => audit.noteAccess(ask, 'address.read', `member ${input.memberId}`),
  }),
  route(showRealName, readsNames, ({ db, viewer, input, client }) => showName(db, viewer.staff, client, input), {
    limits: [{ times: 10, seconds: 60, by: 'member' }],
    secret: true,
  }),
  route(contract.addMember, edits, ({ db, viewer, input, client, prepared }) => edit.add(db, viewer.staff, client, input, prepared), {
    prepare: edit.newPassword,
    limits: secretsAMinute,
    secret: true,
  }),
  route(contract.editMember, edits, ({ db, viewer, input, client }) => edit.edit(db, viewer.staff, client, input)),
  route(contract.setMemberRoles, givesRoles, ({ db, viewer, input, client }) => edit.setRoles(db, viewer.staff, client, input)),
  route(
    contract.resetMemberPassword,
    access,
    ({ db, viewer, input, client, prepared }) => edit.resetPassword(db, viewer.staff, client, input, prepared),
    { prepare: edit.newPassword, limits: secretsAMinute, secret: true },
  ),
  route(contract.resetMemberHint, access, ({ db, viewer, input, client }) => edit.resetHint(db, viewer.staff, client, input)),
  route(removeMemberFactor, access, ({ db, viewer, input, client }) => edit.removeFactor(db, viewer.staff, client, input)),
  route(waysContract.unlinkOfMember, access, ({ db, viewer, input, client }) => ways.unlink(db, viewer.staff, client, input)),
  route(waysContract.unbindOfMember, access, ({ db, viewer, input, client }) => ways.unbind(db, viewer.staff, client, input)),
  route(waysContract.removePasskeyOfMember, access, ({ db, viewer, input, client }) => ways.removePasskey(db, viewer.staff, client, input)),
  route(contract.endMemberSessions, staff('member.access'), ({ db, viewer, input, client }) =>
    edit.endSessions(db, viewer.staff, client, input),
  ),
  route(endMemberTokens, staff('member.access'), ({ db, viewer, input, client }) => edit.endTokens(db, viewer.staff, client, input)),
  route(contract.banMember, keepsAway, ({ db, viewer, input, client }) => bans.ban(db, viewer.staff, client, input)),
  route(joining.joiningList, decides, ({ db, input }) => joiningDesk.list(db, input)),
  route(joining.approveJoining, decides, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.approve', input)),
  route(joining.refuseJoining, decides, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.refuse', input)),
  route(many.giveRoleToMany, givesRoles, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.giveRole', input)),
  route(many.takeRoleFromMany, givesRoles, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.takeRole', input)),
  route(many.banMany, keepsAway, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.ban', input)),
  route(many.disableMany, keepsAway, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.disable', input)),
  route(many.enableMany, keepsAway, ({ db, viewer, input, client }) => atOnce.begin(db, viewer, client, 'member.enable', input)),
  route(many.endSessionsOfMany, staff('member.access'), ({ db, viewer, input, client }) =>
    atOnce.begin(db, viewer, client, 'member.endSessions', input),
  ),
  route(contract.liftBan, keepsAway, ({ db, viewer, input, client }) => bans.lift(db, viewer.staff, client, input.banId)),
  route(contract.disableMember, keepsAway, ({ db, viewer, input, client }) => standing.disable(db, viewer.staff, client, input)),
  route(contract.enableMember, keepsAway, ({ db, viewer, input, client }) => standing.enable(db, viewer.staff, client, input.memberId)),
  route(contract.cancelMember, ends, ({ db, viewer, input, client }) => standing.cancel(db, viewer.staff, client, input)),
  route(contract.restoreMember, ends, ({ db, viewer, input, client }) => standing.restore(db, viewer.staff, client, input.memberId), {
    requiresIdempotencyKey: true,
  }),
  route(contract.addNote, views, ({ db, viewer, input, client }) => edit.note(db, viewer.staff, client, input)),
]
