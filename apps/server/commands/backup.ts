import { join } from 'node:path'
import { pathOf, type Command } from '#apps/server/commands/command.ts'
import { withPostgres } from '#apps/server/commands/forum.ts'
import { checkBooksAt, breachesMessage } from '#apps/server/check-books.ts'
import { settingProblems, setEnvironment } from '#apps/server/setting-problems.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { runningEmbedded } from '#base/server/postgres/embedded.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { keyFileOf } from '#base/server/security/sealing-key.ts'
import { writeBackup } from '#database/backup.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { restore } from '#database/restore.ts'

export const backUp: Command = {
  name: 'backup',
  usage: '[FOLDER]',
  summary: 'Writes all data and uploaded files into a new folder, while the forum runs or not.',
  argumentCount: { min: 0, max: 1 },
  async run({ words, config, log }) {
    const now = new Date()
    const name = now.toISOString().slice(0, 19).replaceAll(':', '-')
    const folder = words[0] === undefined ? join(config.dataDir, 'backups', name) : pathOf(words[0])
    const files = join(config.dataDir, 'files')
    const { tables, breaches } = await withPostgres({ config, log }, async (ownerUrl) => {
      const breaches = await checkBooksAt(ownerUrl)
      return { ...(await writeBackup({ ownerUrl, files, folder, now, requestedBy: 'operator', tell: progressInTerminal() })), breaches }
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return `${rows} rows of ${tables.length} tables, and the uploaded files, are in ${folder}. It holds secrets: keep it where only you can read. What is sealed in it opens with the key of this forum alone, which is not in it: keep ${keyLocation(config)} apart.${breachesMessage(breaches)}`
  },
}

export const restoreBackup: Command = {
  name: 'restore',
  usage: 'FOLDER [--yes]',
  summary: 'Puts a backup in place of all data. The forum must be stopped; --yes replaces a forum that has members.',
  argumentCount: { min: 1, max: 1 },
  options: { yes: { type: 'boolean' } },
  async run({ words: [folder = ''], options, config, log }) {
    if (config.databaseUrl === null && runningEmbedded(config.dataDir))
      throw new CannotStart('The forum is running. Stop it, then restore.')
    const from = { folder: pathOf(folder), files: join(config.dataDir, 'files'), replaces: options['yes'] === true }
    const { madeAt, breaches, problems } = await withPostgres({ config, log }, async (ownerUrl) => {
      const manifest = await restore({ ownerUrl, ...from, tell: progressInTerminal() })
      return { ...manifest, breaches: await checkBooksAt(ownerUrl), problems: await settingProblemsAt(config, ownerUrl) }
    })
    const message = `The forum is as it was at ${madeAt}. What was sealed then opens with the key of then: ${keyLocation(config)}.${breachesMessage(breaches)}`
    return [message, ...problems].join('\n')
  },
}

// The backup may come from a machine with a store for files.
async function settingProblemsAt(config: Config, ownerUrl: string): Promise<string[]> {
  setEnvironment(config)
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 1, minSize: 0, onLost: () => undefined })
  try {
    return await settingProblems(database.app)
  } finally {
    await database.close()
  }
}

function keyLocation({ sealingKey, dataDir }: Config): string {
  return sealingKey ? 'TEAHOUSE_KEY' : keyFileOf(dataDir)
}
