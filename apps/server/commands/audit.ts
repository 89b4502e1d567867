import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import * as audit from '#audit/server/audit.ts'
import { CannotStart } from '#base/server/cannot-start.ts'

export const verifyAudit: Command = {
  name: 'audit verify',
  usage: '',
  summary: 'Reads the log of what staff did again, and says whether it is whole.',
  argumentCount: { min: 0, max: 0 },
  async run(args) {
    const { entries, brokenAt } = await withForum(args, ({ database }) => audit.verify(database.reader))
    if (brokenAt)
      throw new CannotStart(`The log is broken at entry ${brokenAt}: it was changed or taken out. The ${entries} before it are whole.`)
    return `The log is whole: ${entries} entries.`
  },
}
