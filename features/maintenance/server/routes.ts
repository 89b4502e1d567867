import { on, staff } from '#base/server/route.ts'
import * as contract from '#maintenance/contract.ts'
import * as backup from '#maintenance/server/backup-deeds.ts'

const keeps = staff('site.backup', { proved: true })

export const routes = [
  on(contract.backupList, staff('site.backup'), ({ db }) => backup.show(db)),
  on(contract.makeBackup, staff('site.backup'), ({ db, viewer, from }) => backup.make(db, viewer.staff, from)),
  on(contract.rehearseRestore, staff('site.backup'), ({ db, viewer, from, input }) => backup.rehearse(db, viewer.staff, from, input.name), {
    prepare: backup.mustBeThere,
  }),
  on(contract.openBackup, keeps, ({ db, viewer, from, input }) => backup.open(db, viewer.staff, from, input.name), {
    prepare: backup.mustBeThere,
    secret: true,
  }),
  on(
    contract.removeBackup,
    keeps,
    async ({ db, viewer, from, input }) => {
      await backup.remove(db, viewer.staff, from, input.name)
      return {}
    },
    { prepare: backup.mustBeThere },
  ),
]
