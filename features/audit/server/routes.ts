import * as contract from '#audit/contract.ts'
import * as list from '#audit/server/list.ts'
import { on, staff } from '#base/server/route.ts'

export const routes = [on(contract.auditLog, staff('audit.view'), ({ db, input }) => list.list(db, input))]
