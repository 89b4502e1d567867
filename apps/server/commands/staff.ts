import * as staff from '#staff/server/staff.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { refuseTaken, refuseUnlessName } from '#apps/server/commands/account-name.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import * as audit from '#audit/server/audit.ts'
import { transact } from '#base/server/database.ts'

export const addStaff: Command = {
  name: 'staff add',
  usage: 'NAME',
  does: 'Adds a member of staff, who also speaks in the forum as an official member. Shows the password once.',
  words: { least: 1, most: 1 },
  async run({ words: [name = ''], ...ground }) {
    refuseUnlessName(name)
    const { account, password } = await withForum(ground, async ({ database }) => {
      await refuseTaken(database.app, name)
      return transact(database, async (tx) => {
        const added = await staff.add(tx, name)
        await audit.noteOperator(tx, { deed: 'staff.add', about: `staff ${added.id}`, after: { account: added.account } })
        return added
      })
    })
    return `${account} is staff now, with the password ${password} (shown this once).`
  },
}

export const renewStaffPassword: Command = {
  name: 'staff password',
  usage: 'NAME',
  does: 'Gives a member of staff a new password, shown once, and takes their second factor away.',
  words: { least: 1, most: 1 },
  async run({ words: [name = ''], ...ground }) {
    const renewed = await withForum(ground, ({ database }) =>
      transact(database, async (tx) => {
        const staffer = await staff.renewPassword(tx, name)
        if (staffer) await audit.noteOperator(tx, { deed: 'staff.reset', about: `staff ${staffer.id}` })
        return staffer
      }),
    )
    if (!renewed) throw new CannotStart(`There is no member of staff called ${name}. Add one: teahouse staff add ${name}`)
    return `The password of ${renewed.account} is ${renewed.password} now (shown this once).`
  },
}
