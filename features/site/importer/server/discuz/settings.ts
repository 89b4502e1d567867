import { rowsBy } from '#importer/server/tables/pages.ts'
import { unserialize } from '#importer/server/tables/php-serialize.ts'
import { text, type SourceTables } from '#importer/server/tables/source-tables.ts'
import type { Settings } from '#importer/server/discuz/source.ts'

const usualPage = 10

/** The settings of the board that an import needs. */
export async function settingsOf(
  tables: SourceTables,
  table: (name: string) => string,
  decode: (bytes: Buffer) => string,
): Promise<Settings> {
  const names = ['bbname', 'siteurl', 'postperpage', 'extcredits', 'creditstrans', 'hideexpiration', 'maxchargespan', 'bannedmessages']
  const rows = await rowsBy(tables, { table: table('common_setting'), columns: ['svalue'], column: 'skey' }, names)
  const valueOf = (name: string) => {
    const row = rows.get(name)?.[0]
    return row ? text(row, 'svalue', decode) : ''
  }
  const credits = creditsIn(rows.get('extcredits')?.[0]?.['svalue'] ?? null, decode)
  return {
    title: valueOf('bbname') || 'Discuz!',
    origin: valueOf('siteurl').replace(/\/?$/, (end) => (valueOf('siteurl') === '' ? end : '/')),
    postsPerPage: Number(valueOf('postperpage')) || usualPage,
    credits: credits.size > 0 ? credits : unnamedCredits,
    hideDays: Number(valueOf('hideexpiration')) || 0,
    chargeHours: Number(valueOf('maxchargespan')) || 0,
    masksBanned: (Number(valueOf('bannedmessages')) & 1) === 1,
    bountyCredit: bountyCreditIn(valueOf('creditstrans').split(',')),
  }
}

/** The credit of all payments comes first, then those of single kinds, where they differ: of bounties the second. */
function bountyCreditIn([usual = '', , bounties = '']: readonly string[]): string {
  return Number(bounties) > 0 ? bounties : usual
}

/** A dump without settings has credits all the same. */
const unnamedCredits = new Map([1, 2, 3, 4, 5, 6, 7, 8].map((number) => [String(number), `extcredits${number}`]))

function creditsIn(serialized: Buffer | null, decode: (bytes: Buffer) => string): Map<string, string> {
  const value = serialized ? unserialize(serialized, decode) : undefined
  if (!(value instanceof Map)) return new Map()
  return new Map(
    [...value].flatMap(([id, its]) => {
      const title: unknown = its instanceof Map ? its.get('title') : null
      return typeof title === 'string' && title !== '' ? [[String(id), title] as const] : []
    }),
  )
}
