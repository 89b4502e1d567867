import * as contract from '#audit/contract.ts'
import { noteExport } from '#audit/server/audit.ts'
import * as list from '#audit/server/list.ts'
import { route, staff } from '#base/server/http/route.ts'

export const routes = [
  route(contract.auditLog, staff('audit.view'), ({ db, viewer, input }) => list.list(db, viewer.staff, input)),
  route(contract.noteLogExport, staff('audit.view'), noteExport('audit.export')),
]
