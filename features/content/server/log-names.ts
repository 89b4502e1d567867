import { sql } from 'kysely'
import type { Called } from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'

const kinds = ['member', 'staff', 'role', 'staffRole', 'tag', 'field', 'sensitiveList', 'membershipCard', 'coupon', 'giftTask'] as const

/** What the things that deeds were about are called now, by kind and id: `member 42`. */
export async function called(db: Db, abouts: readonly (string | null)[]): Promise<ReadonlyMap<string, Called>> {
  const of = Object.fromEntries(kinds.map((kind) => [kind, idsOf(kind, abouts)]))
  const { rows } = await sql<Called & { about: string }>`
    select 'member ' || id as about, account as zh, account as en from member where id = any(${of['member']})
    union all select 'staff ' || id, account, account from staff where id = any(${of['staff']})
    union all select 'role ' || id, name_zh, name_en from role where id = any(${of['role']})
    union all select 'staffRole ' || id, name_zh, name_en from staff_role where id = any(${of['staffRole']})
    union all select 'tag ' || id, name_zh, name_en from tag where id = any(${of['tag']})
    union all select 'field ' || id, name_zh, name_en from field where id = any(${of['field']})
    union all select 'sensitiveList ' || id, name, name from sensitive_list where id = any(${of['sensitiveList']})
    union all select 'membershipCard ' || id, name_zh, name_en from membership_card where id = any(${of['membershipCard']})
    union all select 'coupon ' || id, name, name from membership_coupon where id = any(${of['coupon']})
    union all select 'giftTask ' || id, name, name from membership_gift_task where id = any(${of['giftTask']})
  `.execute(db)
  return new Map(rows.map(({ about, zh, en }) => [about, { zh, en }]))
}

function idsOf(kind: string, abouts: readonly (string | null)[]): string[] {
  return abouts.flatMap((about) => new RegExp(`^${kind} (\\d{1,18})$`).exec(about ?? '')?.[1] ?? [])
}
