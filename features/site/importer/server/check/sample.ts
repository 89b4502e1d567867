import type { KindCheck } from '#importer/contract.ts'
import { findingsOf } from '#importer/server/check/findings.ts'
import { lookAt, type Known, type Told } from '#importer/server/check/rows.ts'
import type { Kind, Reader, SourceRows } from '#importer/server/source.ts'
import type { SourceLeftOut } from '#importer/server/source-report.ts'

/** A kind as it was read, with what the estimates need of it. */
export type SampledKind = KindCheck & {
  pace: { rows: number; seconds: number }
  /** The files that were read, and their bytes. */
  files: { read: number; bytes: number }
  ids: ReadonlySet<string> | null
}

/** The time for each kind. What is left of it is not read. */
const secondsPerKind = 2

type Source = { reader: Reader; upto: string; leftOut: readonly SourceLeftOut<Kind>[] }

/** Reads and converts a kind from its beginning, until its end or the end of the time. */
export async function sampleOf(source: Source, kind: Kind, known: Known): Promise<SampledKind> {
  const [gone, changed, files, ids] = [findingsOf(), findingsOf(), { read: 0, bytes: 0 }, new Set<string>()]
  const told: Told = {
    leftOut: gone.add,
    changed: changed.add,
    bytes(length) {
      files.read++
      files.bytes += length
    },
  }
  const clock = clockOf()
  let isWhole = true
  for await (const rows of pagesOf(source, kind)) {
    for (const row of rows) {
      if ('id' in row) ids.add(row.id)
      await lookAt(kind, row, known, told)
    }
    clock.tick(rows.length)
    isWhole = clock.seconds() < secondsPerKind
    if (!isWhole) break
  }
  const its = { kind, read: clock.read(), isWhole, leftOut: gone.all(), changed: changed.all() }
  return { ...(await countedKind(source, its)), pace: clock.pace(), files, ids: isWhole ? ids : null }
}

async function* pagesOf<K extends Kind>({ reader, upto }: Source, kind: K): AsyncGenerator<readonly SourceRows[K][]> {
  for await (const { rows } of reader.rows[kind]({ after: null, since: null, upto })) yield rows
}

/** Measures rows a second. The first page counts only if it is the last: before it, a dump makes an index. */
function clockOf() {
  const begun = performance.now()
  let [read, first, last] = [0, null as { read: number; at: number } | null, begun]
  return {
    tick(rows: number) {
      read += rows
      last = performance.now()
      first ??= { read, at: last }
    },
    read: () => read,
    seconds: () => (last - (first?.at ?? begun)) / 1000,
    pace(): SampledKind['pace'] {
      const since = first && read > first.read ? first : { read: 0, at: begun }
      return { rows: read - since.read, seconds: (last - since.at) / 1000 }
    },
  }
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
