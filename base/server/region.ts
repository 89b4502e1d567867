import { BlockList, isIP } from 'node:net'
import { readFile } from 'node:fs/promises'
import { lazy } from '#base/lazy.ts'
import { countries, provinces } from '#base/region-name.ts'
import { normalizeIp } from '#base/server/http/network.ts'

/**
 * The country of an address, or the province within China, as an ISO 3166 code: `US`, `CN-GD`; `local` for private networks; null if
 * unknown, as for IPv6. Looked up locally, without a request.
 */
export async function regionOf(ip: string): Promise<string | null> {
  const plain = normalizeIp(ip)
  const kind = isIP(plain)
  if (kind !== 0 && local.check(plain, `ipv${kind as 4 | 6}`)) return 'local'
  if (kind !== 4) return null
  const { search, codes } = await table()
  const { region } = await search(plain)
  const [country = '', , province = ''] = region?.split('|') ?? []
  return codeOf(country, province, codes)
}

/** Adds the region to rows with an address. */
export function withRegions<Row extends { ip: string }>(rows: readonly Row[]): Promise<(Row & { region: string | null })[]> {
  return Promise.all(rows.map(async (row) => ({ ...row, region: await regionOf(row.ip) })))
}

const local = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  local.addSubnet(network, bits)
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

// Eleven megabytes, loaded at the first use.
const table = lazy(async () => {
  const { defaultDbFile, newWithBuffer } = await import('ip2region-ts')
  const searcher = newWithBuffer(await readFile(defaultDbFile))
  return { search: (ip: string) => searcher.search(ip), codes: codesByName() }
})

function codeOf(country: string, province: string, codes: ReadonlyMap<string, string>): string | null {
  if (country !== '中国') return codes.get(country) ?? null
  const name = province.replace(/省$/, '')
  const code = Object.entries(provinces).find(([, { zh }]) => zh === name)?.[0]
  return code ? `CN-${code}` : (codes.get(name) ?? 'CN')
}

/** Names of the address table that differ from the usual ones. */
const otherNames: Record<string, string> = {
  阿联酋: 'AE',
  波黑: 'BA',
  孟加拉: 'BD',
  刚果金: 'CD',
  中非: 'CF',
  刚果布: 'CG',
  多米尼加: 'DO',
  南乔治亚岛和南桑威奇群岛: 'GS',
  香港: 'HK',
  圣马丁: 'MF',
  马其顿: 'MK',
  澳门: 'MO',
  蒙塞拉特岛: 'MS',
  巴勒斯坦: 'PS',
  留尼旺: 'RE',
  法国南部领地: 'TF',
  托克劳群岛: 'TK',
  瓦利斯和富图纳群岛: 'WF',
}

function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('zh', { type: 'region', fallback: 'none' })
  const named = countries().map((code): [string, string] => [names.of(code) ?? '', code])
  return new Map([...named, ...Object.entries(otherNames)])
}
