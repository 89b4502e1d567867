import { sql } from 'kysely'
import { normalizeEmail } from '#base/email-address.ts'
import { featuresOf } from '#base/server/feature.ts'
import * as audit from '#audit/server/audit.ts'
import type { Answer, ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { RunInSeparateTransaction, ClientInfo, Staff } from '#base/server/http/route.ts'
import { countriesIn, hashOf, masked } from '#delivery/server/delivery.ts'
import type { deliveryList } from '#delivery/log-contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** The addresses that a member may be reached at. */
    readonly memberAddresses?: (db: Db, memberId: string) => Promise<readonly { address: string }[]>
  }
}

const id = sql`delivery.id`
// Rows are numbered in the order in which they were made.
const keys = { at: { by: id, as: 'bigint' } } as const

export async function list(db: Db, input: ParsedInput<typeof deliveryList>): Promise<Answer<typeof deliveryList>> {
  const { channel, template, state, to } = input
  let query = db
    .selectFrom('delivery')
    .select([
      'id',
      'channel',
      'template',
      'shown_as as to',
      'state',
      'tries',
      'is_test as isTest',
      'sent_by as by',
      'error',
      'made_at as at',
    ])
  if (channel) query = query.where('channel', '=', channel)
  if (template) query = query.where('template', '=', template)
  if (state) query = query.where('state', '=', state)
  if (to) query = query.where('to_hash', '=', anyOf(await hashesFor(db, to)))
  return paged(db, query, { ...input, keys, id })
}

type SearchContext = { db: Db; inSeparateTransaction: RunInSeparateTransaction; viewer: Staff; client: ClientInfo }

/** The audit log stores an address masked, and a part of its hash, so that two with the same mask differ. */
export async function logSearch(ask: SearchContext, to: string | undefined): Promise<undefined> {
  if (!to) return undefined
  const spelled = addressesIn(to, [])[0]
  const memberId = spelled ? null : await memberIdByAccount(ask.db, to)
  const recipient = spelled ? `${masked(spelled)}#${hashOf(spelled).toString('hex').slice(0, 8)}` : to.replaceAll(/\s+/g, '_')
  return audit.noteAccess(ask, 'delivery.find', memberId ? `member ${memberId}` : `recipient ${recipient}`)
}

async function hashesFor(db: Db, to: string): Promise<Buffer[]> {
  const codes = countriesIn(await setting.all(db)).map(({ code }) => code)
  const memberId = await memberIdByAccount(db, to)
  const theirs = memberId ? await addressesOf(db, memberId) : []
  return [...addressesIn(to, codes), ...theirs.map(({ address }) => address)].map(hashOf)
}

/** The canonical addresses that a search may mean; a number without a country's code is tried in each country that numbers are sent to. */
function addressesIn(typed: string, codes: readonly string[]): string[] {
  const text = typed.normalize('NFKC').trim()
  if (text.includes('@')) return [normalizeEmail(text) ?? text.toLowerCase()]
  if (!/^(\+|00)?[\d\s().-]{6,25}$/.test(text)) return []
  const digits = text.replaceAll(/\D/g, '')
  if (text.startsWith('+')) return [`+${digits}`]
  if (text.startsWith('00')) return [`+${digits.slice(2)}`]
  return [`+${digits}`, ...codes.map((code) => `+${code}${digits}`)]
}

async function memberIdByAccount(db: Db, account: string): Promise<string | null> {
  const row = await db.selectFrom('member').select('id').where('account_key', '=', user.nameKey(account)).executeTakeFirst()
  return row?.id ?? null
}

async function addressesOf(db: Db, memberId: string): Promise<{ address: string }[]> {
  const found = await Promise.all(featuresOf(db).map(async ({ memberAddresses }) => (await memberAddresses?.(db, memberId)) ?? []))
  return found.flat()
}
