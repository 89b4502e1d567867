import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { engineFor } from '#search/server/engine-in-use.ts'
import { rebuild } from '#search/server/rebuild.ts'

export const rebuildSearch: Command = {
  name: 'search rebuild',
  usage: '',
  summary: 'Rebuilds the search index. The old entries serve meanwhile.',
  argumentCount: { min: 0, max: 0 },
  async run(args) {
    const began = performance.now()
    const report = progressInTerminal()
    const tell = (done: number, of: number) => report('entering', done, of)
    const count = await withForum(args, ({ database }) => rebuild(database, engineFor(args.config), { onProgress: tell }))
    return `${count} posts can be found, after ${Math.round((performance.now() - began) / 1000)} s.`
  },
}
