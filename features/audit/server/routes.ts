import * as contract from '#audit/contract.ts'
import { noteFile, type Known } from '#audit/server/audit.ts'
import * as list from '#audit/server/list.ts'
import { on, staff } from '#base/server/route.ts'

export function routesFor(known: Known) {
  return [
    on(contract.auditLog, staff('audit.view'), ({ db, viewer, input }) => list.list(db, viewer.staff, known, input)),
    on(contract.noteLogExport, staff('audit.view'), noteFile('audit.export')),
  ]
}
