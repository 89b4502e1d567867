import { otherLooks } from './look-of.ts'
import { membersPoints, staffsPoints } from './points-journey.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const looks = otherLooks(import.meta.url)

membersPoints(site, looks)
staffsPoints(site, looks)
