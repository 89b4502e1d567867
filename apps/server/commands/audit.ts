import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import * as audit from '#audit/server/audit.ts'
import { CannotStart } from '#base/server/cannot-start.ts'

export const verifyAudit: Command = {
  name: 'audit verify',
  usage: '',
  does: 'Reads the log of what staff did again, and says whether it is whole.',
  words: { least: 0, most: 0 },
  async run(ground) {
    const { deeds, brokenAt } = await withForum(ground, ({ database }) => audit.verify(database.reader))
    if (brokenAt)
      throw new CannotStart(`The log is broken at deed ${brokenAt}: it was changed or taken out. The ${deeds} before it are whole.`)
    return `The log is whole: ${deeds} deeds.`
  },
}
