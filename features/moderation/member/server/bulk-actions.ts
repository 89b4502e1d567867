import { anyOf, type Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import type { BulkAnswer } from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import { filterOf, type BulkSelection } from '#base/list.ts'
import { joiningList } from '#member/joining-contract.ts'
import { memberList } from '#member/contract.ts'
import { applyBan, undoBan, assertFuture } from '#member/server/ban.ts'
import { filterLabels } from '#member/server/filter-labels.ts'
import { endAllSessions } from '#member/server/edit.ts'
import { membersMatching } from '#member/server/list.ts'
import { decide, undoDecision, registrationsIn } from '#member/server/registration-approval.ts'
import { giveRole, undoRoleChange, takeRole } from '#member/server/one-role.ts'
import { enableMember, disableMember, undoStatusChange } from '#member/server/account-status.ts'

type ActionInput = { reason: string; roleId?: string; endsAt?: string; from?: Parameters<typeof applyBan>[2]['from'] }
type Action = batch.BulkActionRequirements & {
  does: (tx: Db, by: StaffActor, memberId: string, input: ActionInput) => Promise<batch.Change | null>
  undo: (tx: Db, by: StaffActor, memberId: string, change: batch.Change) => Promise<unknown>
}

const onRoles = { right: 'role.manage', isProved: true, undo: undoRoleChange }
const onStanding = {
  right: 'member.ban',
  isProved: true,
  undo: (tx: Db, _: StaffActor, id: string, change: batch.Change) => undoStatusChange(tx, id, change),
}

const onJoining = {
  right: 'member.approve',
  undo: (tx: Db, _: StaffActor, id: string, change: batch.Change) => undoDecision(tx, id, change),
}

/** The bulk actions on members, each applied as the single action is. */
const actions = {
  'member.giveRole': { ...onRoles, does: (tx, by, id, { roleId = '', endsAt }) => giveRole(tx, by, id, roleId, endsAt) },
  'member.takeRole': { ...onRoles, does: (tx, by, id, { roleId = '' }) => takeRole(tx, by, id, roleId) },
  'member.ban': {
    right: 'member.ban',
    isProved: true,
    does: (tx, by, memberId, { from = [], endsAt, reason }) => applyBan(tx, by, { memberId, from, endsAt, reason }),
    undo: undoBan,
  },
  'member.approve': { ...onJoining, does: (tx, by, id) => decide(tx, by, id, { outcome: 'approved', reason: '' }) },
  'member.refuse': { ...onJoining, does: (tx, by, id, { reason }) => decide(tx, by, id, { outcome: 'refused', reason }) },
  'member.disable': { ...onStanding, does: (tx, _, id, { reason }) => disableMember(tx, id, reason) },
  'member.enable': { ...onStanding, does: (tx, _, id) => enableMember(tx, id) },
  'member.endSessions': {
    right: 'member.access',
    isFinal: true,
    does: (tx, _, id) => endAllSessions(tx, id),
    undo: () => Promise.reject(new Error('Sessions that were ended stay so')),
  },
} as const satisfies Record<string, Action>

type Name = keyof typeof actions

const members: batch.BulkTarget = {
  viewRight: 'member.view',
  requirements: (action) => (isKnown(action) ? actions[action] : null),
  apply: (tx, { staff }, { action, id, input }) => actions[action as Name].does(tx, staff, id, input),
  async undo(tx, { staff }, { action, id, ...change }) {
    await actions[action as Name].undo(tx, staff, id, change)
  },
  namesOf: called,
  filterNames: filterLabels,
}

export const bulkTargets = { member: members }

type BulkInput = BulkSelection & Partial<ActionInput>

export async function begin(tx: Db, by: Staff, client: ClientInfo, action: Name, selection: BulkInput): Promise<BulkAnswer> {
  const { reason = '', roleId, endsAt, from: functions } = selection
  assertFuture(endsAt)
  const found = isOfJoining(action)
    ? await resolveSelection(tx, selection, (narrowed) => registrationsIn(tx, parseFilter(joiningList, narrowed)))
    : await resolveSelection(tx, selection, (narrowed) => membersMatching(tx, parseFilter(memberList, narrowed)))
  return batch.begin(tx, by, client, members, {
    kind: 'member',
    action,
    ids: found,
    input: { reason, roleId, endsAt, from: functions },
    filter: filterOf(selection),
  })
}

function isOfJoining(action: Name): boolean {
  return action === 'member.approve' || action === 'member.refuse'
}

async function called(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('member').select(['id', 'account', 'nickname']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, account, nickname }) => [id, nickname ?? account]))
}

function isKnown(action: string): action is Name {
  return Object.hasOwn(actions, action)
}
