import { parseArgs } from 'node:util'
import { backUp, restoreBackup } from '#apps/server/commands/backup.ts'
import type { Command } from '#apps/server/commands/command.ts'
import { doctor } from '#apps/server/commands/doctor.ts'
import { exportCommunity } from '#apps/server/commands/export.ts'
import { runJobs } from '#apps/server/commands/jobs.ts'
import { forgetKey } from '#apps/server/commands/key.ts'
import { moveFiles } from '#apps/server/commands/file.ts'
import { importCommunity, undoImport } from '#apps/server/commands/import.ts'
import { addMember } from '#apps/server/commands/member.ts'
import { migrateDatabase } from '#apps/server/commands/migrate.ts'
import { rebuildSearch } from '#apps/server/commands/search.ts'
import { seed } from '#apps/server/commands/seed.ts'
import { changeSetting, getSetting, listSettings } from '#apps/server/commands/setting.ts'
import { checkBooks } from '#apps/server/commands/books.ts'
import { verifyAudit } from '#apps/server/commands/audit.ts'
import { addStaff, renewStaffPassword } from '#apps/server/commands/staff.ts'
import { Refusal } from '#base/contract.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { openLog } from '#base/server/log.ts'
import { say } from '#base/server/words.ts'

const help: Command = {
  name: 'help',
  usage: '',
  summary: 'Shows this.',
  argumentCount: { min: 0, max: 0 },
  async run() {
    return helpText()
  },
}

const commands = [
  addStaff,
  renewStaffPassword,
  verifyAudit,
  checkBooks,
  addMember,
  listSettings,
  getSetting,
  changeSetting,
  seed,
  rebuildSearch,
  migrateDatabase,
  runJobs,
  backUp,
  restoreBackup,
  moveFiles,
  undoImport,
  importCommunity,
  exportCommunity,
  forgetKey,
  doctor,
  help,
]

/** Runs a command line and returns its message. */
export async function runCommand(args: readonly string[], config: Config): Promise<string> {
  if (args.length === 0 || args[0] === '--help') return helpText()
  const command = commands.find(({ name }) => [args[0], args.slice(0, 2).join(' ')].includes(name))
  if (!command) throw new CannotStart(`There is no command ${args.join(' ')}.\n\n${helpText()}`)
  const { words, options } = parseArguments(command, args.slice(command.name.split(' ').length))
  try {
    return await command.run({ words, options, config, log: openLog({ development: config.development, level: 'warn' }) })
  } catch (error) {
    throw error instanceof Refusal ? new CannotStart(refusalText(error)) : error
  }
}

/** A refusal as for any caller: each field with its sentence. */
function refusalText({ kind, values, others }: Refusal): string {
  return [{ kind, values }, ...others].map((one) => `${one.kind.field}: ${say('en', one.kind.code, one.values)}`).join('\n')
}

function parseArguments(command: Command, args: readonly string[]) {
  const { min, max } = command.argumentCount
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: command.options ?? {}, allowPositionals: true })
    if (positionals.length >= min && positionals.length <= max) return { words: positionals, options: { ...values } }
  } catch (error) {
    const isMisuse = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    if (!isMisuse) throw error
  }
  throw new CannotStart(`This command is: ${usageOf(command)}\n${command.summary}`)
}

function helpText(): string {
  const longest = Math.max(...commands.map((command) => usageOf(command).length))
  return [
    "The operator's tool: npm run teahouse -- COMMAND",
    '',
    ...commands.map((command) => `  ${usageOf(command).padEnd(longest)}  ${command.summary}`),
  ].join('\n')
}

function usageOf({ name, usage }: Command): string {
  return `${name} ${usage}`.trim()
}
