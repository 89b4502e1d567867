import { otherLooks } from './look-of.ts'
import { quietPages } from './quiet-pages.ts'
import { builtForum } from './site.ts'

quietPages(await builtForum(), otherLooks(import.meta.url))
