import { hashPassword } from '#base/server/security/hash-password.ts'
import type { ImportCheck, KindCheck } from '#importer/contract.ts'
import type { SampledKind } from '#importer/server/check/sample.ts'

/** What it takes to write a post, as a multiple of reading and converting it. */
export const writing = 8
const postKinds = ['threads', 'comments', 'messages']
/** Hashes of a page of members are made beside each other. */
const atOnce = 2

/** How long the import takes here, by the pace at which the posts of the sample were read, and by what one hash takes. */
export async function durationOf(sampled: readonly SampledKind[], hashes: number): Promise<ImportCheck['duration']> {
  const its = sampled.filter(({ kind }) => postKinds.includes(kind))
  const [posts, sampleSeconds] = [sum(its.map(({ pace }) => pace.rows)), sum(its.map(({ pace }) => pace.seconds))]
  const coming = sum(its.map((kind: KindCheck) => kind.coming))
  const hashSeconds = hashes > 0 ? await secondsOfHash() : 0
  const reading = posts > 0 ? (coming * sampleSeconds) / posts : 0
  return { seconds: Math.ceil(reading * (1 + writing) + hashes * hashSeconds), posts, sampleSeconds, hashes, hashSeconds }
}

async function secondsOfHash(): Promise<number> {
  const begun = performance.now()
  await Promise.all(Array.from({ length: atOnce }, (_, number) => hashPassword(`a password to measure ${number}`)))
  return (performance.now() - begun) / 1000 / atOnce
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
