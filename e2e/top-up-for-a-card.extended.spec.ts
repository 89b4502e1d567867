import { topUpsForACard } from './top-up-for-a-card-journey.ts'
import { otherLooks } from './look-of.ts'

await topUpsForACard(otherLooks(import.meta.url))
