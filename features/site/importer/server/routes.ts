import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#importer/contract.ts'
import { list } from '#importer/server/list.ts'

export const routes = [route(contract.importList, staff('site.maintain'), ({ db }) => list(db))]
