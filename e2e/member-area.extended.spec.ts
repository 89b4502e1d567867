import { lookOf, otherLooks } from './look-of.ts'
import { namesOfPages, stillPages } from './member-area-journey.ts'
import { builtForum } from './site.ts'

const site = await builtForum()

namesOfPages(
  site,
  otherLooks(import.meta.url).filter(({ width }) => width === 'desktop'),
)
stillPages(site, [lookOf(import.meta.url).width === 'phone' ? 'desktop' : 'phone'])
