import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { renderPage } from '#base/server/long-text.ts'
import type { helpPage, helpTree } from '#help/contract.ts'
import type { helpList } from '#help/staff-contract.ts'

type Language = 'zh' | 'en'

/** Visible pages, and categories with any. */
export async function tree(db: Db): Promise<Output<typeof helpTree>> {
  const { categories } = await allPages(db)
  const views = categories.map(({ id, parentId, name, pages }) => ({
    id,
    parentId,
    name,
    pages: pages.filter(({ isVisible }) => isVisible).map(({ id, title }) => ({ id, title })),
  }))
  const holds = (categoryId: string) => views.some(({ parentId, pages }) => parentId === categoryId && pages.length > 0)
  return { categories: views.filter(({ id, pages }) => pages.length > 0 || holds(id)) }
}

/** All pages, hidden ones included. */
export async function allPages(db: Db): Promise<Output<typeof helpList>> {
  const [categories, pages] = await Promise.all([
    db
      .selectFrom('help_category')
      .select(['id', 'parent_id', 'name_zh', 'name_en', 'sort', 'version'])
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('help_page')
      .select(['id', 'category_id', 'title_zh', 'title_en', 'sort', 'is_visible', 'changed_at'])
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ])
  const within = Map.groupBy(pages, ({ category_id }) => category_id)
  return {
    categories: categories.map(({ id, parent_id, name_zh, name_en, sort, version }) => ({
      id,
      parentId: parent_id,
      name: { zh: name_zh, en: name_en },
      sort,
      version,
      pages: (within.get(id) ?? []).map((page) => ({
        id: page.id,
        title: { zh: page.title_zh, en: page.title_en },
        sort: page.sort,
        isVisible: page.is_visible,
        changedAt: page.changed_at.toISOString(),
      })),
    })),
  }
}

export async function show(db: Db, pageId: string, language: Language): Promise<Output<typeof helpPage>> {
  const row = await db
    .selectFrom('help_page')
    .innerJoin('help_category', 'help_category.id', 'category_id')
    .select(['help_page.id', 'title_zh', 'title_en', 'changed_at', 'name_zh', 'name_en'])
    .select(sql<string>`${sql.ref(`body_${language}`)}`.as('body'))
    .where('help_page.id', '=', pageId)
    .where('is_visible', '=', true)
    .executeTakeFirst()
  if (!row) throw Missing()
  return {
    id: row.id,
    title: { zh: row.title_zh, en: row.title_en },
    ...(await renderPage(row.body)),
    category: { zh: row.name_zh, en: row.name_en },
    changedAt: row.changed_at.toISOString(),
  }
}
