import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { enqueue, prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { unattendedSeconds, watchUnattended } from '#base/server/jobs/unattended.ts'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'

const { database, ownerUrl, close } = await freshDatabase()
const ground = { database, log: pino({ level: 'silent' }), dataDir: '' }
afterAll(close)

test('the work of a dead process is taken up again within a minute or two', async () => {
  await prepareJobs(ownerUrl)
  const runs: object[] = []
  const job: Job = {
    name: 'brew',
    run: async (_, data) => {
      runs.push(data)
    },
  }
  // A queue made by an earlier version, without heartbeats.
  const dead = new PgBoss({ connectionString: ownerUrl, schema: 'jobs', supervise: false, schedule: false, max: 1 })
  await dead.start()
  await dead.createQueue(job.name, { policy: 'singleton' })
  await (await startJobs(ownerUrl, [job], ground)).stop()

  await dead.send(job.name, { pot: 1 })
  expect(await dead.fetch(job.name)).toHaveLength(1)
  await dead.getDb().executeSql(`update jobs.job set heartbeat_on = now() - interval '90 s', started_on = now() - interval '90 s'`)
  await dead.getDb().executeSql('update jobs.queue set monitor_on = null, monitor_claim_on = null')
  await dead.stop({ graceful: false })

  const working = await startJobs(ownerUrl, [job], ground)
  try {
    await expect.poll(() => runs).toEqual([{ pot: 1 }])
  } finally {
    await working.stop()
  }
})

test('a queue of an earlier version gets the settings of this one, and keeps the retention that staff set', async () => {
  await prepareJobs(ownerUrl)
  const earlier = new PgBoss({ connectionString: ownerUrl, schema: 'jobs', supervise: false, schedule: false, max: 1 })
  await earlier.start()
  const run = async () => undefined
  const retention = { deleteAfterSeconds: 9 * 86_400 }
  await earlier.createQueue('steep', { policy: 'standard', retryLimit: 1, retryBackoff: false, expireInSeconds: 60, ...retention })
  await earlier.createQueue('pour', { policy: 'singleton', ...retention })
  await earlier.schedule('pour', '* * * * *')
  const jobs: Job[] = [
    { name: 'steep', cron: '7 3 * * *', maxHours: 2, run },
    { name: 'pour', run },
  ]
  await (await startJobs(ownerUrl, jobs, ground)).stop()
  const same = { retryLimit: 5, retryBackoff: true, heartbeatSeconds: 45, ...retention }
  expect(await earlier.getQueue('steep')).toMatchObject({ ...same, policy: 'singleton', expireInSeconds: 7_200 })
  expect(await earlier.getQueue('pour')).toMatchObject({ ...same, policy: 'standard', expireInSeconds: 900 })
  expect((await earlier.getSchedules()).map(({ name }) => name)).toEqual(['steep'])
  await earlier.stop({ graceful: false })
})

test('a process without jobs enqueues for others and runs nothing, and says so when nobody runs them', async () => {
  await prepareJobs(ownerUrl)
  const runs: object[] = []
  const job: Job = {
    name: 'pluck',
    cron: '* * * * *',
    run: async (_, data) => {
      runs.push(data)
    },
  }
  const cron = 'update jobs.version set cron_on = '
  const owner = await connectAsOwner(ownerUrl)
  await owner.query(`${cron} now() - interval '10 minutes'`)
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line) => void lines.push(line) })
  const idle = await startJobs(ownerUrl, [job], ground, { runs: false })
  const endWatch = watchUnattended(database.app, log, 20)
  try {
    await transact(database, (tx) => enqueue(tx, job, { leaf: 1 }))
    await expect.poll(() => lines.join('')).toContain('No process runs jobs')
    expect(await unattendedSeconds(database.app)).toBeGreaterThan(599)
    expect(runs).toEqual([])
    const working = await startJobs(ownerUrl, [job], ground)
    await expect.poll(() => runs).toContainEqual({ leaf: 1 })
    await expect.poll(() => lines.join('')).toContain('Jobs are run again')
    expect(await unattendedSeconds(database.app)).toBeLessThan(180)
    await working.stop()
  } finally {
    endWatch()
    await idle.stop()
    await owner.end()
  }
})
