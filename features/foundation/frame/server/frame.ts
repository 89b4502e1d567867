import { sql } from 'kysely'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { slotPlaces, type FrameView, type SectionView } from '#frame/contract.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'

type Audience = 'visitors' | 'members'
type FrameByAudience = Record<Audience, FrameView>

const membershipCards = '/membershipCardList'

/** The cache tag of header and footer. */
export const frameTag = 'frame'

const cached = cachedValue([frameTag, 'setting'], load)

/** Header and footer of every page, for a visitor or a member; cached until it changes. */
export async function frameFor(db: Db, who: Audience): Promise<FrameView> {
  return (await cached.of(db))[who]
}

/** Every page shows it. */
export function markChanged(tx: Db): void {
  invalidate(tx, frameTag, 'everything')
}

async function load(db: Db): Promise<FrameByAudience> {
  const [all, slots, sellsMembership] = await Promise.all([sectionsOf(db), slotsOf(db), isMembershipSold(db)])
  const sections = all.filter(({ url }) => sellsMembership || url !== membershipCards)
  const seenBy = (who: Audience): FrameView => ({
    sections: tree(sections.filter(({ audience }) => audience === 'everybody' || audience === who)),
    slots,
    sellsMembership,
  })
  return { visitors: seenBy('visitors'), members: seenBy('members') }
}

// The cards belong to a feature further down, and every page needs to know whether there are any. A site without a balance sells for points
// only.
async function isMembershipSold(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isSold: boolean }>`
    select exists (
      select from membership_card as card join membership_specification as its on its.card_id = card.id
      where card.is_on_sale and card.removed_at is null and its.is_enabled and its.removed_at is null
        and (its.cents = 0 or exists (select from setting where name = 'allowCash' and value = 'true'))) as "isSold"`.execute(db)
  return rows[0]?.isSold ?? false
}

type Section = Awaited<ReturnType<typeof sectionsOf>>[number]

function sectionsOf(db: Db) {
  return db
    .selectFrom('section')
    .select(['id', 'parent_id', 'name_zh', 'name_en', 'url', 'audience'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

// A heading without sections below is dropped.
function tree(sections: readonly Section[]): SectionView[] {
  const entry = ({ id, name_zh: zh, name_en: en, url }: Section) => ({ id, name: { zh, en }, url })
  return sections
    .filter(({ parent_id }) => parent_id === null)
    .map((section) => ({ ...entry(section), below: sections.filter(({ parent_id }) => parent_id === section.id).map(entry) }))
    .filter(({ url, below }) => url !== '' || below.length > 0)
}

async function slotsOf(db: Db): Promise<FrameView['slots']> {
  const rows = await db.selectFrom('slot').select(['place', 'zh', 'en']).where('is_on', '=', true).execute()
  return slotPlaces.flatMap((place) => {
    const row = rows.find((one) => one.place === place)
    const [zh, en] = [cleanHtml(row?.zh || row?.en || '').html, cleanHtml(row?.en || row?.zh || '').html]
    return zh.trim() ? [{ place, zh, en }] : []
  })
}
