import fc from 'fast-check'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { setSealingKey } from '#base/server/security/sealing.ts'
import { mappingSchema, runImport } from '#importer/server/importer.ts'
import { communities, type Sizes } from '#importer/testing/random-community.ts'
import { aReader, type Community } from '#importer/testing/small-community.ts'

// An import in a process of its own, to be killed. It prints a line before each page, and `done` at the end.
const { OWNER_URL = '', SEED = '1', SIZES = '{}', PER_PAGE = '2', TEAHOUSE_KEY = '' } = process.env

setSealingKey(Buffer.from(TEAHOUSE_KEY, 'hex'))
const sizes: Sizes = JSON.parse(SIZES)
const [community]: (Community | undefined)[] = fc.sample(communities(sizes), { seed: Number(SEED), numRuns: 1 })
const database = openDatabase(addressesOf(OWNER_URL), { features, size: 2, minSize: 0, onLost: () => undefined })
const mapping = mappingSchema.parse({ points: 'p', money: { credit: 'm', centsPerUnit: 10 }, groups: {}, members: {}, language: 'en' })
try {
  await runImport({
    database,
    ownerUrl: OWNER_URL,
    reader: aReader(community ?? {}, { perPage: Number(PER_PAGE), hasFloors: true }),
    targetOf: () => null,
    mapping,
    report: (kind, done) => void process.stdout.write(`${kind} ${done}\n`),
  })
  process.stdout.write('done\n')
} finally {
  await database.close()
}
