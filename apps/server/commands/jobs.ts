import type { Command } from '#apps/server/commands/command.ts'
import { openLog } from '#base/server/log.ts'
import { onShutdown } from '#base/server/shutdown-signal.ts'

export const runJobs: Command = {
  name: 'jobs',
  usage: '',
  summary:
    'Runs jobs and nothing else, beside servers with TEAHOUSE_JOBS=0, until it is stopped. With PORT, it answers /health and /metrics.',
  argumentCount: { min: 0, max: 0 },
  async run({ config }) {
    // As in a server, a key `__proto__` in input is a key like any other.
    Reflect.deleteProperty(Object.prototype, '__proto__')
    // Other commands need less of the program.
    const { startJobsProcess } = await import('#apps/server/jobs-process.ts')
    const log = openLog(config)
    const told = Promise.withResolvers<void>()
    const stop = await startJobsProcess({ config, log, listens: process.env['PORT'] !== undefined })
    console.log('Jobs are running.')
    onShutdown(() => told.resolve())
    await told.promise
    log.info('Stopping: running jobs finish first')
    await stop()
    return 'The jobs were stopped.'
  },
}
