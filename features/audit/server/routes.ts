import * as contract from '#audit/contract.ts'
import { noteFile } from '#audit/server/audit.ts'
import * as list from '#audit/server/list.ts'
import { on, staff } from '#base/server/route.ts'

export const routes = [
  on(contract.auditLog, staff('audit.view'), ({ db, viewer, input }) => list.list(db, viewer.staff, input)),
  on(contract.noteLogExport, staff('audit.view'), noteFile('audit.export')),
]
