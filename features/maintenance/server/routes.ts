import { on, staff } from '#base/server/route.ts'
import * as contract from '#maintenance/contract.ts'
import * as backup from '#maintenance/server/backup-deeds.ts'
import * as care from '#maintenance/server/care.ts'
import * as health from '#maintenance/server/health.ts'
import * as job from '#maintenance/server/job-deeds.ts'

const maintains = staff('site.maintain')
const keeps = staff('site.backup', { proved: true })

export const routes = [
  on(contract.health, maintains, ({ db }) => health.show(db)),
  on(contract.rebuildSearch, maintains, ({ db, viewer, from }) => care.rebuildSearch(db, viewer.staff, from)),
  on(contract.clearCaches, maintains, async ({ db, viewer, from }) => {
    await care.clearCaches(db, viewer.staff, from)
    return {}
  }),
  on(contract.jobBoard, maintains, () => job.show()),
  on(contract.retryJob, maintains, async ({ db, viewer, from, input }) => {
    await job.retry(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.discardJob, maintains, async ({ db, viewer, from, input }) => {
    await job.discard(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.backupList, staff('site.backup'), ({ db, viewer }) => backup.show(db, viewer.staff)),
  on(contract.makeBackup, staff('site.backup'), ({ db, viewer, from }) => backup.make(db, viewer.staff, from)),
  on(contract.rehearseRestore, staff('site.backup'), ({ db, viewer, from, input }) => backup.rehearse(db, viewer.staff, from, input.name), {
    prepare: backup.mustBeThere,
  }),
  on(contract.openBackup, keeps, ({ db, viewer, from, input }) => backup.open(db, viewer.staff, from, input.name), {
    prepare: backup.mustBeThere,
    secret: true,
  }),
  on(contract.removeBackup, keeps, () => Promise.resolve({}), { prepare: backup.remove }),
]
