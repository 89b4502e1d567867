import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Missing, NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { networkLimit } from '#base/server/http/admission.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { staff, type Viewer } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { archiveOf } from '#maintenance/server/archive.ts'
import { folderOf } from '#maintenance/server/backups.ts'
import { backupsFolder } from '#maintenance/server/maintenance.ts'

export const secrets = ['backup']

const minutes = 10
const guard = staff('site.backup')

/** A short-lived download URL for this member of staff only, issued after a password prompt. */
export async function addressOf(db: Db, name: string, staffId: string): Promise<string> {
  const until = String(Date.now() + minutes * 60_000)
  const query = new URLSearchParams({ name, until, key: await keyOf(db, name, staffId, until) })
  return `/api/admin/backup/file?${query}`
}

type DownloadRequest = FastifyRequest<{ Querystring: Record<string, string | string[] | undefined> }>
type DownloadOptions = { db: Db; dataDir: string; authenticateStaff(cookies: string | undefined): Promise<Viewer> }

/** `GET /api/admin/backup/file`: a backup as one file. */
export function serveBackups(app: FastifyInstance, { db, dataDir, authenticateStaff }: DownloadOptions): void {
  const limitNetwork = networkLimit('downloads of backups', 'GET')
  app.get('/api/admin/backup/file', async (request: DownloadRequest, reply) => {
    await limitNetwork(normalizeIp(request.ip))
    const actor = guard(await authenticateStaff(request.headers.cookie)).staff
    const [name, until, key] = ['name', 'until', 'key'].map((one) => String(request.query[one] ?? ''))
    if (!actor.isAdministrator) throw NotAllowed()
    if (!name || !until || !(Number(until) > Date.now()) || !isSame(key, await keyOf(db, name, actor.id, until))) throw Missing()
    const { bytes, stream } = await archiveOf(await folderOf(backupsFolder(dataDir), name), name)
    return reply
      .headers({
        'cache-control': 'private, no-store',
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename="${name}.tar"`,
        'content-length': bytes,
      })
      .send(stream)
  })
}

async function keyOf(db: Db, name: string, staffId: string, until: string): Promise<string> {
  return createHmac('sha256', await secretOf(db, 'backup'))
    .update(`${name} ${staffId} ${until}`)
    .digest('base64url')
}

function isSame(one = '', other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
