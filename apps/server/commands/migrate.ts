import type { Command } from '#apps/server/commands/command.ts'
import { withPostgres } from '#apps/server/commands/forum.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { migrate } from '#database/migrate.ts'

export const migrateDatabase: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Brings the database up to the newest migration. Starting the forum does this too.',
  argumentCount: { min: 0, max: 0 },
  async run(args) {
    const { ran } = await withPostgres(args, (ownerUrl) => migrate(ownerUrl, progressInTerminal()))
    return ran === 0 ? 'The database is up to date.' : `Ran ${ran} migration${ran === 1 ? '' : 's'}.`
  },
}
