import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { renderPage, renderPages } from '#base/server/long-text.ts'
import type { ClientInfo, StaffActor, Member } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { TermsChanged, type myTerms, type termsOfService } from '#help/contract.ts'
import type { publishTerms, termsList, termsVersions } from '#help/staff-contract.ts'

/** The terms as the page shows them. */
export async function show(db: Db, language: 'zh' | 'en'): Promise<Output<typeof termsOfService>> {
  const terms = await newest(db)
  const { segments } = await renderPage(terms[language])
  return { segments, publishedAt: terms.publishedAt?.toISOString() ?? null }
}

/** Whether a member has to agree to new terms, and the deadline. */
export async function mine(db: Db, member: Member): Promise<Output<typeof myTerms>> {
  const [owed, { id: termsId }] = await Promise.all([account.termsDeadline(db, member.id), newest(db)])
  return { asks: owed !== null, by: owed?.by.toISOString() ?? null, termsId }
}

export async function agree(tx: Db, member: Member, termsId: string): Promise<void> {
  const terms = await tx.selectFrom('terms').select('id').where('id', '=', termsId).executeTakeFirst()
  if (!terms) throw Missing()
  await tx
    .insertInto('terms_agreement')
    .values({ member_id: member.id, terms_id: termsId })
    .onConflict((there) => there.doNothing())
    .execute()
}

export async function list(db: Db): Promise<Output<typeof termsList>> {
  const [{ zh, en }, rows] = await Promise.all([
    newest(db),
    db
      .selectFrom('terms')
      .leftJoin('staff', 'staff.id', 'published_by')
      .select(['terms.id', 'published_at', 'asks_again', 'account'])
      .select(sql<number>`(select count(*)::int from terms_agreement where terms_id = terms.id)`.as('agreed'))
      .orderBy('terms.id', 'desc')
      .limit(100)
      .execute(),
  ])
  return {
    zh,
    en,
    versions: rows.map(({ id, published_at, asks_again, account, agreed }) => ({
      id,
      publishedAt: published_at.toISOString(),
      publishedBy: account,
      asksAgain: asks_again,
      agreed,
    })),
  }
}

const versionsPerPage = 5

/** Published versions, as members read them. */
export async function versions(db: Db, { language, page }: ParsedInput<typeof termsVersions>): Promise<Output<typeof termsVersions>> {
  const [rows, { count }] = await Promise.all([
    db
      .selectFrom('terms')
      .select(['published_at', language === 'zh' ? 'body_zh as body' : 'body_en as body'])
      .orderBy('id', 'desc')
      .limit(versionsPerPage)
      .offset((page - 1) * versionsPerPage)
      .execute(),
    db
      .selectFrom('terms')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow(),
  ])
  const pages = await renderPages(rows.map(({ body }) => body))
  return {
    versions: rows.map(({ published_at, body }) => ({ segments: pages(body).segments, writtenAt: published_at.toISOString() })),
    pages: Math.max(1, Math.ceil(count / versionsPerPage)),
  }
}

/** Publishes a version permanently. Of two concurrent calls, the second is refused and has to read again. */
export async function publish(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  draft: ParsedInput<typeof publishTerms>,
): Promise<{ termsId: string }> {
  await sql`lock table terms in share row exclusive mode`.execute(tx)
  const { id: before } = await newest(tx)
  if ((draft.basedOn ?? null) !== before) throw TermsChanged()
  const { id } = await tx
    .insertInto('terms')
    .values({ body_zh: draft.zh, body_en: draft.en, asks_again: draft.asksAgain, published_by: by.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  invalidate(tx, 'terms')
  await audit.note(tx, by, client, {
    action: 'terms.publish',
    about: `terms ${id}`,
    before: { terms: before },
    after: { asksAgain: draft.asksAgain },
  })
  return { termsId: id }
}

const defaultTerms = {
  zh: '# 服务条款\n\n请友善、守法，并对自己写下的内容负责。',
  en: '# Terms of service\n\nBe kind, keep to the law, and answer for what you write.',
}

type TermsRow = { id: string | null; zh: string; en: string; publishedAt: Date | null }

async function newest(db: Db): Promise<TermsRow> {
  const row = await db
    .selectFrom('terms')
    .select(['id', 'body_zh', 'body_en', 'published_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row) return { id: row.id, zh: row.body_zh, en: row.body_en, publishedAt: row.published_at }
  return { id: null, ...defaultTerms, publishedAt: null }
}
