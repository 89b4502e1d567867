import { runCommand } from '#apps/server/commands/run-command.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig } from '#base/server/config.ts'

try {
  console.log(await runCommand(process.argv.slice(2), readConfig()))
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
