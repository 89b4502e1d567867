import { bookChecks } from '#apps/server/features.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { look } from '#wallet/server/books.ts'

export const checkBooks: Command = {
  name: 'books check',
  usage: '',
  does: 'Proves that points and balance are right. Where they are not, nothing is written to them until staff thaw them.',
  words: { least: 0, most: 0 },
  async run(ground) {
    const breaches = await withForum(ground, ({ database }) => look(database, bookChecks, { isFull: true }))
    const lines = breaches.map(({ check, what }) => `${what}: ${check}`)
    if (lines.length > 0) throw new CannotStart(`The books are not right, and are frozen now.\n${lines.join('\n')}`)
    return `The books are right: ${bookChecks.length} rules hold.`
  },
}
