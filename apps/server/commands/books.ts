import { bookChecks } from '#apps/server/features.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'

export const checkBooks: Command = {
  name: 'books check',
  usage: '',
  summary: 'Proves that points and balance are right. Where they are not, nothing is written to them until staff thaw them.',
  argumentCount: { min: 0, max: 0 },
  async run(args) {
    const breaches = await withForum(args, ({ database }) => checkLedger(database, bookChecks, { isFull: true }))
    const lines = breaches.map(({ check, what }) => `${what}: ${check}`)
    if (lines.length > 0) throw new CannotStart(`The books are not right, and are frozen now.\n${lines.join('\n')}`)
    return `The books are right: ${bookChecks.length} rules hold.`
  },
}
