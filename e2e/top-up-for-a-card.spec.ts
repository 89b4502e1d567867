import { topUpsForACard } from './top-up-for-a-card-journey.ts'
import { lookOf } from './look-of.ts'

await topUpsForACard([lookOf(import.meta.url)])
