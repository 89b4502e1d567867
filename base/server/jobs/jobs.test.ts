import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
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
