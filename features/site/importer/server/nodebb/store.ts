/** A member of a sorted set, with its score. */
export type Scored = readonly [member: string, score: string]
export type Fields = Readonly<Record<string, string>>

/**
 * What NodeBB keeps in Redis, PostgreSQL or MongoDB: keys with hashes, sorted sets, sets and texts. Each database stores numbers and flags in
 * its own way, so all values are text here. For reading only.
 */
export type KeyStore = {
  object(key: string): Promise<Fields | null>
  /** Null for each key that holds nothing. */
  objects(keys: readonly string[]): Promise<(Fields | null)[]>
  /** A page of a sorted set, in the order of scores and then of members. */
  sorted(key: string, page: { after: Scored | null; limit: number }): Promise<Scored[]>
  /** The scores of some members of a sorted set; null for those that are not in it. */
  scores(key: string, members: readonly string[]): Promise<(string | null)[]>
  /** The members of a set, of which the largest has one for each member of the site. */
  members(key: string): Promise<string[]>
  /** The length of a sorted set. */
  count(key: string): Promise<number>
  text(key: string): Promise<string | null>
  close(): Promise<void>
}

const pageLength = 1_000

/** All members of a sorted set. */
export async function allOf(store: KeyStore, key: string): Promise<Scored[]> {
  const all: Scored[] = []
  for (;;) {
    const page = await store.sorted(key, { after: all.at(-1) ?? null, limit: pageLength })
    all.push(...page)
    if (page.length < pageLength) return all
  }
}

/** The text of a value in JSON or BSON; null for what is no value. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** The fields of an object of JSON or BSON. */
export function fieldsOf(object: object): Fields {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const text = textOf(value)
      return text === null ? [] : [[name, text] as const]
    }),
  )
}

/** The id of something on this site. Null for none, and for the addresses that NodeBB 4 has for what lies on other servers. */
export function id(text: string | undefined): string | null {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? text : null
}

export function flag(text: string | undefined): boolean {
  return text === '1' || text === 'true'
}

/** A time in milliseconds; null for none, which is also stored as 0. */
export function time(text: string | undefined): Date | null {
  const at = Number(text ?? 0)
  return at > 0 && at <= 8_640_000_000_000_000 ? new Date(at) : null
}

export function number(text: string | undefined): number {
  const value = Number(text ?? 0)
  return Number.isFinite(value) ? value : 0
}
