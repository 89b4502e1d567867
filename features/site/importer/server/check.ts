import type { Database } from '#base/server/database/database.ts'
import { ImportCheck, type KindCheck } from '#importer/contract.ts'
import { durationOf } from '#importer/server/check/duration.ts'
import { checkMembers, takenNames, type MembersCheck } from '#importer/server/check/members.ts'
import { forumsOf } from '#importer/server/check/readers.ts'
import type { Known } from '#importer/server/check/rows.ts'
import { countedKind, sampleOf, type SampledKind } from '#importer/server/check/sample.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import { assertSameCommunity } from '#importer/server/same-community.ts'
import { kinds, type Kind, type Reader, type SourceGroup, type SourceRows } from '#importer/server/source.ts'
import type { SourceLeftOut } from '#importer/server/source-report.ts'
import { becomesRole } from '#importer/server/write/tags.ts'

/** The others stand in the file of choices. */
const shownTaken = 100

/** What an import will bring, for the operator, and the choices that it would make. Nothing of the community is written. */
export async function checkImport(database: Database, reader: Reader): Promise<{ check: ImportCheck; mapping: Mapping }> {
  await assertSameCommunity(database.app, reader)
  const [groups, tags] = [await allOf(reader, 'groups'), await allOf(reader, 'tags')]
  const leftOut = (await reader.leftOut?.()) ?? []
  const [members, forums] = [await checkMembers(database, reader), forumsOf(tags, groups)]
  const sampled = await sampleAll(reader, leftOut, {
    members: members.ids,
    tags: new Set(forums.map(({ id }) => id)),
    openTags: new Set(forums.flatMap(({ id, readers }) => (readers === 'everybody' ? [id] : []))),
    threads: null,
    bytesOf: reader.bytesOf,
  })
  const read = { kind: 'members' as const, read: members.ids.size, isWhole: true, leftOut: [], changed: members.changed }
  const people = await countedKind({ reader, leftOut }, read)
  const check = ImportCheck.parse({
    ...reader,
    lacksPermissions: reader.lacksPermissions === true,
    texts: reader.texts ?? [],
    kinds: [...sampled, people].toSorted((one, other) => placeOf(one) - placeOf(other)),
    credits: members.credits,
    groups: groups
      .filter(becomesRole)
      .map(({ id, name, rights = [] }) => ({ id, name, members: members.inGroups.get(id) ?? 0, rights: [...rights] })),
    forums,
    staff: await reader.staff(),
    taken: members.taken.slice(0, shownTaken),
    takenCount: members.taken.length,
    fileBytes: bytesFor(sampled),
    duration: await durationOf(sampled, members.hashes),
  })
  return { check, mapping: mappingOf(reader, groups, members.taken) }
}

/** The choices that an import makes if the operator made none. */
export async function usualMapping(database: Database, reader: Reader): Promise<Mapping> {
  return mappingOf(reader, await allOf(reader, 'groups'), await takenNames(database, reader))
}

/** Every kind but members, who are read whole, as far as the time goes. */
async function sampleAll(reader: Reader, leftOut: readonly SourceLeftOut<Kind>[], known: Known): Promise<SampledKind[]> {
  const marks = await reader.marks()
  const sampled: SampledKind[] = []
  for (const kind of kinds.filter((one) => one !== 'members')) {
    const threads = sampled.find((one) => one.kind === 'threads')?.ids ?? null
    sampled.push(await sampleOf({ reader, upto: marks[kind] ?? '', leftOut }, kind, { ...known, threads }))
  }
  return sampled
}

function placeOf({ kind }: KindCheck): number {
  return kinds.findIndex((one) => one === kind)
}

function bytesFor(sampled: readonly SampledKind[]): number | null {
  const { coming, files } = sampled.find(({ kind }) => kind === 'files') ?? { coming: 0, files: { read: 0, bytes: 0 } }
  return files.read > 0 ? Math.round((coming * files.bytes) / files.read) : null
}

function mappingOf(reader: Reader, groups: readonly SourceGroup[], taken: MembersCheck['taken']): Mapping {
  return {
    points: reader.credits[0]?.id ?? null,
    money: reader.money ?? null,
    groups: Object.fromEntries(groups.filter(becomesRole).map(({ id }) => [id, 'role'])),
    members: Object.fromEntries(taken.map(({ id, free }) => [id, { do: 'rename', name: free }])),
    language: [reader.title, ...groups.map(({ name }) => name)].some((name) => /\p{Script=Han}/u.test(name)) ? 'zh' : 'en',
  }
}

async function allOf<K extends Kind>(reader: Reader, kind: K): Promise<SourceRows[K][]> {
  const { [kind]: upto = '' } = await reader.marks()
  const all: SourceRows[K][] = []
  for await (const { rows } of reader.rows[kind]({ after: null, since: null, upto })) all.push(...rows)
  return all
}
