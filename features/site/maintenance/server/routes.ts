import { route, staff, streamRoute } from '#base/server/http/route.ts'
import { programVersion } from '#base/server/program-version.ts'
import * as contract from '#maintenance/contract.ts'
import { examine } from '#maintenance/doctor-contract.ts'
import * as backup from '#maintenance/server/backup-actions.ts'
import * as care from '#maintenance/server/maintenance-actions.ts'
import { examination } from '#maintenance/server/doctor.ts'
import * as health from '#maintenance/server/health.ts'
import * as job from '#maintenance/server/job-actions.ts'
import { releases } from '#maintenance/server/releases.ts'
import { releaseList } from '#maintenance/release-contract.ts'
import { ownAccount } from '#staff/contract.ts'

const maintains = staff('site.maintain')
const keeps = staff('site.backup', { proved: true })

export const routes = [
  route(contract.health, maintains, ({ db }) => health.show(db)),
  streamRoute(examine, maintains, async () => examination(), { limits: [{ times: 3, seconds: 60, by: 'member' }] }),
  route(contract.rebuildSearch, maintains, ({ db, viewer, client }) => care.rebuildSearch(db, viewer.staff, client)),
  route(contract.clearCaches, maintains, ({ db, viewer, client }) => care.clearCaches(db, viewer.staff, client)),
  route(contract.jobBoard, maintains, () => job.show()),
  route(contract.retryJob, maintains, ({ db, viewer, client, input }) => job.retry(db, viewer.staff, client, input)),
  route(contract.discardJob, maintains, ({ db, viewer, client, input }) => job.discard(db, viewer.staff, client, input)),
  route(contract.backupList, staff('site.backup'), ({ db, viewer }) => backup.show(db, viewer.staff)),
  route(contract.makeBackup, staff('site.backup'), ({ db, viewer, client }) => backup.make(db, viewer.staff, client)),
  route(
    contract.rehearseRestore,
    staff('site.backup'),
    ({ db, viewer, client, input }) => backup.rehearse(db, viewer.staff, client, input.name),
    {
      prepare: backup.mustExist,
    },
  ),
  route(contract.openBackup, keeps, ({ db, viewer, client, input }) => backup.open(db, viewer.staff, client, input.name), {
    prepare: backup.mustExist,
    secret: true,
  }),
  route(releaseList, staff(ownAccount), async ({ client }) => ({
    version: programVersion,
    releases: await releases(client.language),
  })),
  route(contract.removeBackup, keeps, () => Promise.resolve({}), { prepare: backup.remove }),
]
