import { hintsOfCollusion } from './collusion-journey.ts'
import { otherLooks } from './look-of.ts'

await hintsOfCollusion(otherLooks(import.meta.url))
