import type { Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { moveHere, openStorage } from '#file/server/storage.ts'

export const moveFiles: Command = {
  name: 'file move',
  usage: '',
  summary: 'Moves uploaded files to where fileStorageSystem says, from the disk to the store or back, while the forum runs.',
  argumentCount: { min: 0, max: 0 },
  async run(args) {
    openStorage(args.config)
    const moved = await withForum(args, ({ database }) => moveHere(database.app))
    return moved === 0 ? 'All files lie there already.' : `${moved} files were moved.`
  },
}
