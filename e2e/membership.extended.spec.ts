import { otherLooks } from './look-of.ts'
import { visitorsCompareCards } from './membership-journey.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('allowCash', true)

visitorsCompareCards(site, otherLooks(import.meta.url))
