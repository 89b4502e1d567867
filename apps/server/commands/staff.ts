import * as staff from '#staff/server/staff.ts'
import type { StaffRole } from '#staff/server/staff.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { assertNameFree, assertValidName } from '#apps/server/commands/account-name.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import * as audit from '#audit/server/audit.ts'
import { transact } from '#base/server/database/database.ts'

export const addStaff: Command = {
  name: 'staff add',
  usage: 'NAME --role ROLE',
  summary:
    'Adds a member of staff with that role, who also speaks in the forum as an official member. Without a role, shows which there are. Shows the password once.',
  argumentCount: { min: 1, max: 1 },
  options: { role: { type: 'string' } },
  async run({ words: [name = ''], options, ...ground }) {
    assertValidName(name)
    const { account, password, role } = await withForum(ground, async ({ database }) => {
      await assertNameFree(database.app, name)
      const role = findRole(await staff.roles(database.app), typeof options['role'] === 'string' ? options['role'] : null)
      return transact(database, async (tx) => {
        const added = await staff.add(tx, name, [role.id])
        const after = { account: added.account, roleIds: [role.id] }
        await audit.noteOperator(tx, { action: 'staff.add', about: `staff ${added.id}`, after })
        return { ...added, role }
      })
    })
    return `${account} is staff now as ${role.name.en}, with the password ${password} (shown this once).\n${account} may do ${describeRights(role)}.`
  },
}

/** An administrator must be named: omitting the role never creates one. */
function findRole(roles: readonly StaffRole[], named: string | null): StaffRole {
  const name = named?.toLowerCase() ?? ''
  const found = roles.find((one) => [one.id, one.name.zh, one.name.en.toLowerCase()].includes(name))
  if (found) return found
  const why = named === null ? 'Name a role with --role.' : `Staff have no role called ${named}.`
  const lines = roles.map((one) => `  ${one.name.en} (${one.name.zh}): ${describeRights(one)}`)
  throw new CannotStart([`${why} There are:`, ...lines].join('\n'))
}

function describeRights({ isAdministrator, rights }: StaffRole): string {
  if (isAdministrator) return 'everything, which includes adding staff and changing every setting'
  return rights.length > 0 ? rights.join(', ') : 'nothing yet'
}

export const renewStaffPassword: Command = {
  name: 'staff password',
  usage: 'NAME',
  summary: 'Gives a member of staff a new password, shown once, and takes their second factor away.',
  argumentCount: { min: 1, max: 1 },
  async run({ words: [name = ''], ...ground }) {
    const renewed = await withForum(ground, ({ database }) =>
      transact(database, async (tx) => {
        const staffer = await staff.resetPassword(tx, name)
        if (staffer) await audit.noteOperator(tx, { action: 'staff.reset', about: `staff ${staffer.id}` })
        return staffer
      }),
    )
    if (!renewed)
      throw new CannotStart(`There is no member of staff called ${name}. Add one: npm run teahouse -- staff add ${name} --role ROLE`)
    return `The password of ${renewed.account} is ${renewed.password} now (shown this once).`
  },
}
