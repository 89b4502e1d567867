import type { KindCheck } from '#importer/contract.ts'
import { findingsOf } from '#importer/server/check/findings.ts'
import { looks, type Known, type Told } from '#importer/server/check/rows.ts'
import type { Kind, Reader, SourceLeftOut, SourceRows } from '#importer/server/source.ts'

/** A kind as it was read, with what the estimates need of it. */
export type SampledKind = KindCheck & {
  seconds: number
  /** The files that were read, and their bytes. */
  files: { read: number; bytes: number }
  ids: ReadonlySet<string> | null
}

/** The time for each kind. What is left of it is not read. */
const secondsPerKind = 2

type Source = { reader: Reader; upto: string; leftOut: readonly SourceLeftOut[] }

/** Reads and converts a kind from its beginning, until its end or the end of the time. */
export async function sampleOf<K extends Kind>(source: Source, kind: K, known: Known): Promise<SampledKind> {
  const [gone, changed, files, ids] = [findingsOf(), findingsOf(), { read: 0, bytes: 0 }, new Set<string>()]
  const told: Told = {
    leftOut: gone.add,
    changed: changed.add,
    bytes(length) {
      files.read++
      files.bytes += length
    },
  }
  let [read, isWhole] = [0, true]
  const begun = performance.now()
  for await (const row of rowsOf(source, kind)) {
    if (performance.now() - begun > secondsPerKind * 1000) {
      isWhole = false
      break
    }
    read++
    if ('id' in row) ids.add(row.id)
    await looks[kind](row, known, told)
  }
  const seconds = (performance.now() - begun) / 1000
  const its = await countedKind(source, { kind, read, isWhole, leftOut: gone.all(), changed: changed.all() })
  return { ...its, seconds, files, ids: isWhole ? ids : null }
}

async function* rowsOf<K extends Kind>({ reader, upto }: Source, kind: K): AsyncGenerator<SourceRows[K]> {
  for await (const { rows } of reader.rows[kind]({ after: null, since: null, upto })) yield* rows
}

/** A kind as it was read, with what the reader leaves out, and how many rows come: exactly where all was read, else by the share of those that were. */
export async function countedKind(
  { reader, leftOut }: Omit<Source, 'upto'>,
  its: Omit<KindCheck, 'coming'> & { kind: Kind },
): Promise<KindCheck> {
  const { kind, read, isWhole } = its
  const byReader = leftOut.flatMap(({ kind: of, samples, ...one }) => (of === kind ? [{ ...one, samples: [...samples] }] : []))
  const [dropped, there] = [sum(its.leftOut), (await reader.count(kind)) - sum(byReader)]
  const rest = isWhole && rowForRow.includes(kind) && there > read ? [{ why: partOfAnother, count: there - read, samples: [] }] : []
  const coming = isWhole || read === 0 ? read - dropped : Math.round(Math.max(read, there) * (1 - dropped / read))
  return { ...its, coming, leftOut: [...byReader, ...its.leftOut, ...rest] }
}

const partOfAnother = 'part of another row, or without what it belongs to'
// A row of another kind may be several rows there, such as the votes of one member.
const rowForRow: readonly Kind[] = ['members', 'files', 'threads', 'comments', 'messages']

function sum(findings: readonly { count: number }[]): number {
  return findings.reduce((total, { count }) => total + count, 0)
}
