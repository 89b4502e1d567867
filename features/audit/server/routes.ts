import * as contract from '#audit/contract.ts'
import { noteFile, type Known } from '#audit/server/audit.ts'
import * as list from '#audit/server/list.ts'
import { route, staff } from '#base/server/http/route.ts'

export function routesFor(known: Known) {
  return [
    route(contract.auditLog, staff('audit.view'), ({ db, viewer, input }) => list.list(db, viewer.staff, known, input)),
    route(contract.noteLogExport, staff('audit.view'), noteFile('audit.export')),
  ]
}
