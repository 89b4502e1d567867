import type { Db } from '#base/server/database/database.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import { addressesOfTargets } from '#importer/server/addresses.ts'
import { importers } from '#importer/server/programs.ts'
import type { OldTarget, Program } from '#importer/server/source.ts'

export const importsTag = 'imports'

type OldSite = {
  id: string
  program: Program
  /** The paths below which the forum lay. */ folders: string[]
  rules: Record<string, string>
}

const oldSites = cachedValue(importsTag, async (db: Db): Promise<OldSite[]> => {
  const rows = await db
    .selectFrom('import')
    .select(['id', 'program', 'origins', 'address_rules'])
    .where('undone_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id, program, origins, address_rules }) => ({
    id,
    program,
    folders: [...new Set([...origins.flatMap((origin) => URL.parse(origin)?.pathname ?? []), '/'])],
    rules: address_rules as Record<string, string>,
  }))
})

/** Where an address of the former forum leads to here; null for one that it did not have, or whose page did not come along. */
export async function newAddressOf(db: Db, url: string): Promise<string | null> {
  const sites = await oldSites.of(db)
  for (const site of sites) {
    const target = targetIn(site, url)
    const found = target && (await addressesOfTargets(db, site.id, new Map([['it', target]]))).get('it')
    if (found) return found
  }
  return null
}

function targetIn({ program, folders, rules }: OldSite, url: string): OldTarget | null {
  const address = URL.parse(url, 'http://localhost/')
  if (!address) return null
  for (const folder of folders) {
    if (!address.pathname.startsWith(folder)) continue
    const within = new URL(`/${address.pathname.slice(folder.length)}${address.search}`, 'http://localhost/')
    const target = importers[program]?.targetOf(within, rules)
    if (target) return target
  }
  return null
}
