import { pathOf, type Command } from '#apps/server/commands/command.ts'
import { withForum } from '#apps/server/commands/forum.ts'
import { progressOf } from '#apps/server/commands/rate.ts'
import { openStorage } from '#file/server/storage.ts'
import * as exporter from '#exporter/server/exporter.ts'

export const exportCommunity: Command = {
  name: 'export',
  usage: 'FOLDER [--with passwords,messages,hidden]',
  summary:
    'Writes the whole community into a new folder, as JSON lines with its files, while the forum runs or not. Hashes of passwords, private messages and the text of hidden parts come only if they are named.',
  argumentCount: { min: 1, max: 1 },
  options: { with: { type: 'string' } },
  async run({ words: [folder = ''], options, ...ground }) {
    const secrets = exporter.secretsNamed(typeof options['with'] === 'string' ? options['with'] : undefined)
    openStorage(ground.config)
    const to = pathOf(folder)
    const { counts, missing } = await withForum(ground, (store) =>
      exporter.exportCommunity({ ...store, folder: to, secrets, address: ground.config.publicUrl, report: progressOf() }),
    )
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return [
      `${rows} rows are in ${to}, with the files that posts show. It holds e-mail addresses and phone numbers: keep it where only you can read.`,
      secrets.size > 0
        ? `It also holds these secrets: ${[...secrets].join(', ')}.`
        : 'It holds no hashes of passwords, messages or hidden text.',
      ...(missing > 0 ? [`${missing} files are missing in this forum, and are empty there.`] : []),
    ].join('\n')
  },
}
