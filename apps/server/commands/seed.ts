import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import { seedSample } from '#database/seed.ts'
import { engineFor } from '#search/server/engine-in-use.ts'
import { indexAll } from '#search/server/rebuild.ts'

const maxComments = 10_000_000

export const seed: Command = {
  name: 'seed',
  usage: '[--comments N]',
  summary: 'Adds the sample community, or N made-up comments with topics and members to match, for trying a large forum.',
  argumentCount: { min: 0, max: 0 },
  options: { comments: { type: 'string' } },
  async run({ options: { comments }, ...ground }) {
    if (typeof comments === 'string') return addMany(ground, parseCount(comments))
    await withForum(ground, ({ database }) => seedSample(database, ground.config, progressInTerminal()))
    return 'The sample community is there. Its members cannot log in.'
  },
}

async function addMany(ground: Parameters<typeof withForum>[0], comments: number): Promise<string> {
  const [began, report] = [performance.now(), progressInTerminal()]
  const size = await withForum(ground, async (store) => {
    const added = await seedBulk(store, comments, report)
    await indexAll(store.database, engineFor(ground.config), (done, of) => report('entering', done, of))
    return added
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${size.comments} comments and ${size.replies} replies in ${size.topics} topics by ${size.members} members, in ${seconds} s.`
}

function parseCount(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > maxComments)
    throw new CannotStart(`--comments is ${JSON.stringify(text)}, but it must be a whole number from 1 to ${maxComments}.`)
  return number
}
