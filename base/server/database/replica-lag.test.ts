import { beforeEach, expect, test } from 'vitest'
import { ReplicaLag } from '#base/server/database/replica-lag.ts'

let lag: ReplicaLag
beforeEach(() => {
  lag = new ReplicaLag()
  lag.replicaAt('0/100')
})

test('a replica that has replayed everything is not behind, however long nothing was written', () => {
  lag.primaryAt('0/100', 0)
  expect(lag.seconds(3_600_000)).toBe(0)
})

test('a replica is behind since the first write that it lacks, and no longer once it has it', () => {
  lag.primaryAt('0/200', 1_000)
  lag.primaryAt('0/300', 2_000)
  lag.primaryAt('0/300', 3_000)
  expect(lag.seconds(3_500)).toBe(2.5)
  lag.replicaAt('0/250')
  expect(lag.seconds(3_500)).toBe(1.5)
  lag.replicaAt('1/0')
  expect(lag.seconds(3_500)).toBe(0)
})

test('a write after a quiet hour does not make a replica an hour late', () => {
  lag.primaryAt('0/100', 0)
  lag.primaryAt('0/200', 3_600_000)
  expect(lag.seconds(3_600_300)).toBe(0.3)
})

test('a replica that is behind for a day is as late as it is', () => {
  for (let second = 0; second < 86_400; second++) lag.primaryAt(`0/${(0x1000 + second).toString(16).toUpperCase()}`, second * 1_000)
  expect(lag.seconds(86_400_000)).toBe(86_400)
  lag.replicaAt(`0/${(0x1000 + 43_200).toString(16).toUpperCase()}`)
  expect(lag.seconds(86_400_000)).toBeGreaterThanOrEqual(43_199)
  expect(lag.seconds(86_400_000)).toBeLessThan(43_500)
})
