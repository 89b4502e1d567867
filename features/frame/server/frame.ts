import { askedOnce } from '#base/server/asked-once.ts'
import type { Db } from '#base/server/database.ts'
import { invalidate } from '#base/server/invalidation.ts'
import { slotPlaces, type FrameView, type SectionView } from '#frame/contract.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'

type Who = 'visitors' | 'members'
type Known = Record<Who, FrameView>

/** Says that what stands around the pages is another now. */
export const frameTag = 'frame'

const known = askedOnce(frameTag, load)

/** What stands around every page, for a visitor or a member; asked of the database once, until somebody changes it. */
export async function shownTo(db: Db, who: Who): Promise<FrameView> {
  return (await known.of(db))[who]
}

export function forget(): void {
  known.forget()
}

/** Every page shows it. */
export function changed(tx: Db): void {
  invalidate(tx, frameTag, 'everything')
}

async function load(db: Db): Promise<Known> {
  const [sections, slots] = await Promise.all([sectionsOf(db), slotsOf(db)])
  const seenBy = (who: Who) => ({ sections: tree(sections.filter(({ audience }) => audience === 'everybody' || audience === who)), slots })
  return { visitors: seenBy('visitors'), members: seenBy('members') }
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

// What leads nowhere itself is only there for those under it.
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
