import { decoded } from '#importer/server/body/references.ts'
import type { SourceAuthor } from '#importer/server/source.ts'
import { id, flag, text, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** An opened Discuz! X. */
export type Discuz = {
  tables: SourceTables
  /** The name of a table with the prefix of this forum. */
  table(name: string): string
  /** The same of UCenter, which may lie in another database of the same dump or server. */
  ucenter(name: string): string
  decode(bytes: Buffer): string
  isGbk: boolean
  settings: Settings
  now: Date
}

export type Settings = {
  title: string
  origin: string
  postsPerPage: number
  /** Names of credits by their ids. */
  credits: ReadonlyMap<string, string>
  /** After so many days hidden text is open, and after so many hours a paid thread; 0 for never. */
  hideDays: number
  chargeHours: number
  /** Posts of banned and former members are shown to administrators alone. */
  masksBanned: boolean
  /** The credit in which bounties are offered. */
  bountyCredit: string
}

/** The value of `special` of a question with a bounty. */
export const reward = 3

/** A text that Discuz! stores escaped for HTML: titles, options of polls. */
export function escapedText({ decode }: Discuz, row: Row, column: string): string {
  return decoded(text(row, column, decode))
}

export function plainText({ decode, isGbk }: Discuz, row: Row, column: string): string {
  const written = text(row, column, decode)
  return isGbk ? decoded(written) : written
}

/** An anonymous post stays without a name. */
export function authorOf(discuz: Discuz, row: Row): SourceAuthor {
  if (row['anonymous'] !== undefined && flag(row, 'anonymous')) return { guestName: '' }
  const [memberId, name] = [id(row, 'authorid'), plainText(discuz, row, 'author')]
  return memberId === '0' ? { guestName: name } : { memberId, name }
}

/** Lists of ids that Discuz! writes with tabs between and around them. */
export function tabbed(value: string): string[] {
  return value.split('\t').filter((one) => one !== '')
}
