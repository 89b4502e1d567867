import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { AskedToday, type openData, type personalData } from '#personal-data/contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

export const makeJob = { name: 'personal-data-make' }

/** The archives a member requested, while they are being made or can be downloaded. */
export async function show(db: Db, member: Member): Promise<Output<typeof personalData>> {
  const rows = await db
    .selectFrom('data_download')
    .select(['id', 'asked_at', 'state', 'expires_at'])
    .where('member_id', '=', member.id)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .orderBy('asked_at', 'desc')
    .limit(10)
    .execute()
  const files = await filesOf(db, member.id)
  return {
    downloads: rows.map(({ id, asked_at, state, expires_at }) => ({
      id,
      askedAt: asked_at.toISOString(),
      state,
      expiresAt: expires_at?.toISOString() ?? null,
      files: files.flatMap(({ download_id, ...its }) => (download_id === id ? [its] : [])),
    })),
    mayAskAt: (await nextRequestAt(db, member.id))?.toISOString() ?? null,
  }
}

/** Puts it aside for the job. What failed does not count. */
export async function requestArchive(tx: Db, member: Member, { language }: Pick<ClientInfo, 'language'>): Promise<void> {
  await secondFactor.requireRecentProof(tx, member)
  // Those who ask twice at once wait for each other.
  await tx.selectFrom('member').select('id').where('id', '=', member.id).forNoKeyUpdate().executeTakeFirst()
  if (await nextRequestAt(tx, member.id)) throw AskedToday()
  await tx
    .insertInto('data_download')
    .values({ member_id: member.id, language })
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? AskedToday() : error
    })
  await runSoon(tx, makeJob)
}

/** The path of a member's own archive. An expired one counts as missing, even while its file is still there. */
export async function open(db: Db, member: Member, fileId: string): Promise<Output<typeof openData>> {
  await secondFactor.requireRecentProof(db, member)
  const isThere = (await show(db, member)).downloads.some(({ files }) => files.some((one) => one.file === fileId))
  const address = isThere ? await file.addressOfArchive(db, member, fileId) : null
  if (address === null) throw Missing()
  return { address }
}

async function nextRequestAt(db: Db, memberId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('data_download')
    .select(sql<Date | null>`max(asked_at) + interval '1 day'`.as('at'))
    .where('member_id', '=', memberId)
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  return row?.at && row.at.getTime() > Date.now() ? row.at : null
}

function filesOf(db: Db, memberId: string) {
  return db
    .selectFrom('data_download_file')
    .innerJoin('data_download', 'data_download.id', 'download_id')
    .innerJoin('file', 'file.id', 'file_id')
    .select(['download_id', 'file.id as file', 'bytes'])
    .select(sql<string>`coalesce(name, '')`.as('name'))
    .where('member_id', '=', memberId)
    .orderBy('number')
    .execute()
}
