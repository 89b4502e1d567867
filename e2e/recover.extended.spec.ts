import { otherLooks } from './look-of.ts'
import { noWayToRecover } from './no-way-to-recover.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('allowLoginAccountType', ['account', 'phone', 'email'])

noWayToRecover(site, otherLooks(import.meta.url))
