import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { readHelp } from '#database/sample/help.ts'

/** The help pages of the sample, unless staff have written some. */
export async function help(tx: Db): Promise<void> {
  if (await tx.selectFrom('help_category').select('id').limit(1).executeTakeFirst()) return
  for (const [sort, { name, pages }] of readHelp().entries()) {
    const { id } = await tx
      .insertInto('help_category')
      .values({ name_zh: name.zh, name_en: name.en, sort })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('help_page')
      .values(
        pages.map(({ zh, en }, place) => ({
          category_id: id,
          title_zh: zh.title,
          title_en: en.title,
          body_zh: zh.body,
          body_en: en.body,
          sort: place,
        })),
      )
      .execute()
  }
  invalidate(tx, 'help')
}
