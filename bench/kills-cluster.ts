import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { features } from '#apps/server/features.ts'
import { readConfig } from '#base/server/config.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { startCluster } from '../deploy/patroni/testing/cluster.ts'
import { startLoad } from '../deploy/patroni/testing/load.ts'
import { longestWriteMs, recoveryMs, resultOf } from '../deploy/patroni/testing/result.ts'
import { damages, type Kind } from './kills-damages.ts'

// The cluster of deploy/patroni on one machine, under members who write with keys and visitors who read through the balancers. Its parts are
// killed by turns, each once the last one is back. Reports what was lost or doubled, the share of reads that were answered with a whole
// page, and for each kind how long no write was acknowledged.
const minutes = Number(process.env['KILLS_MINUTES'] ?? 30)
const only = process.env['KILLS_ONLY']?.split(',')
const limitsMs: Partial<Record<Kind, number>> = {
  'primary killed': 15_000,
  'standby killed': 15_000,
  'machine killed': 25_000,
  'machine frozen': 25_000,
  'standby machine frozen': 25_000,
}

type Damage = { kind: Kind; at: number; until: number }

const cluster = await startCluster()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cluster.stop().then(() => process.exit(1)))
const database = openDatabase(addressesOf(cluster.ownerUrl), { features, size: 4, onLost: () => undefined })
const done: Damage[] = []
const wrong: string[] = []
try {
  await loadSealingKey({ config: readConfig({ TEAHOUSE_KEY: cluster.key }), db: database.app, log: pino({ level: 'error' }) })
  const load = await startLoad(cluster, database, { writers: 16, visitors: 16 })
  await setTimeout(5_000)
  await damageByTurns()
  await setTimeout(5_000)
  await load.stop()
  await cluster.untilWhole()
  const result = await resultOf(load, database)
  report(load)
  wrong.push(
    ...load.wrong,
    ...result.lost.map((text) => `Lost: ${text}`),
    ...result.doubled.map((text) => `Double: ${text}`),
    ...result.books,
  )
  const { acknowledged, lost, doubled } = result
  console.log(
    JSON.stringify({ minutes, kills: done.length, acknowledged, lost: lost.length, doubled: doubled.length, wrong: wrong.length }),
  )
  for (const one of wrong.slice(0, 20)) console.log(one)
} finally {
  await cluster.stop()
}
process.exit(wrong.length > 0 ? 1 : 0)

async function damageByTurns(): Promise<void> {
  const kinds = (Object.keys(damages) as Kind[]).filter((kind) => !only || only.includes(kind))
  const end = performance.now() + minutes * 60_000
  for (let turn = 0; performance.now() < end; turn++) {
    const kind = kinds[turn % kinds.length] ?? 'forum killed'
    const damage = { kind, at: performance.now(), until: 0 }
    await damages[kind](cluster)
    await cluster.untilWhole()
    damage.until = performance.now()
    done.push(damage)
    console.log(kind)
    // Pages that a new server has not rendered yet are asked for meanwhile.
    await setTimeout(5_000)
  }
}

function report(load: Awaited<ReturnType<typeof startLoad>>): void {
  const seconds = (ms: number) => Math.round(ms / 100) / 10
  const table = Object.keys(damages).map((kind) => {
    const its = done.filter((one) => one.kind === kind)
    const recovery = its.map(({ at }) => recoveryMs(load, at))
    const reads = load.reads.filter((read) => its.some(({ at, until }) => read.at >= at && read.at <= until))
    const limit = limitsMs[kind as Kind]
    if (limit && Math.max(...recovery) > limit) wrong.push(`${kind}: no write for ${Math.max(...recovery)} ms`)
    return {
      kind,
      times: its.length,
      'first write, s': recovery.map(seconds).join(' '),
      'longest write, s': seconds(Math.max(0, ...its.map(({ at, until }) => longestWriteMs(load, at, until)))),
      'whole, s': its.map(({ at, until }) => seconds(until - at)).join(' '),
      reads: reads.length,
      'not 200': reads.filter(({ fault }) => fault).length,
    }
  })
  console.table(table)
  const failed = load.reads.filter(({ fault }) => fault)
  const share = 100 * (1 - failed.length / load.reads.length)
  if (share < 99.9) wrong.push(`Only ${share.toFixed(3)} % of the reads were whole pages`)
  console.log(JSON.stringify({ reads: load.reads.length, share: Number(share.toFixed(3)) }))
  for (const [fault, many] of Map.groupBy(failed, ({ fault }) => fault)) console.log(many.length, fault)
}
