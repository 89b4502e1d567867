import { hintsOfCollusion } from './collusion-journey.ts'
import { lookOf } from './look-of.ts'

await hintsOfCollusion([lookOf(import.meta.url)])
