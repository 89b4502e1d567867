import { obey } from '#apps/server/commands/obey.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig } from '#base/server/config.ts'

try {
  console.log(await obey(process.argv.slice(2), readConfig()))
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
