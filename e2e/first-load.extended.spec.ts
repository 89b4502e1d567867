import { lookOf } from './look-of.ts'
import { builtForum } from './site.ts'
import { slowFirstLoads } from './slow-first-loads.ts'

slowFirstLoads(await builtForum(), lookOf(import.meta.url).width === 'phone' ? 'desktop' : 'phone')
