import { addMember as add } from '#account/server/add-member.ts'
import { assertNameFree, assertValidName } from '#apps/server/commands/account-name.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import * as role from '#role/server/role.ts'

export const addMember: Command = {
  name: 'member add',
  usage: 'NAME [--role ROLE]',
  summary: 'Adds a member, with a permanent role if one is named. Shows the password once.',
  argumentCount: { min: 1, max: 1 },
  options: { role: { type: 'string' } },
  async run({ words: [name = ''], options, ...ground }) {
    assertValidName(name)
    const roleName = typeof options['role'] === 'string' ? options['role'] : null
    const { account, password } = await withForum(ground, async ({ database }) => {
      await assertNameFree(database.app, name)
      const roleId = roleName === null ? null : await findRoleId(database.app, roleName)
      return transact(database, async (tx) => {
        const added = await add(tx, name)
        if (roleId !== null) await role.give(tx, added.id, roleId, null)
        return added
      })
    })
    return `${account} is a member now, with the password ${password} (shown this once).`
  },
}

async function findRoleId(db: Db, name: string): Promise<string> {
  const roles = await db
    .selectFrom('role')
    .select(['id', 'name_zh', 'name_en'])
    .where('is_default', '=', false)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const found = roles.find((one) => [one.id, one.name_zh, one.name_en.toLowerCase()].includes(name.toLowerCase()))
  if (found) return found.id
  const names = roles.map((one) => `${one.name_en} (${one.name_zh})`)
  throw new CannotStart(`There is no role called ${name}. There are: ${names.join(', ')}.`)
}
