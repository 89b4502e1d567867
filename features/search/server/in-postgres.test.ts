import { describe } from 'vitest'
import { bearsAnything } from '#search/server/finding/bytes/example.ts'
import { aGround } from '#search/server/finding/example.ts'
import { filters, orders, questionFilters, suggests } from '#search/server/finding/filters/example.ts'
import { bringsBack, keepsUp } from '#search/server/finding/keeping/example.ts'
import { keepsSecrets } from '#search/server/finding/secrets/example.ts'
import {
  findsBeginnings,
  findsOtherwise,
  findsTitles,
  findsTogether,
  findsWithout,
  findsWords,
} from '#search/server/finding/words/example.ts'

const ground = await aGround()

describe('in the database', () => {
  findsWords(ground)
  findsTitles(ground)
  findsBeginnings(ground)
  findsOtherwise(ground)
  findsTogether(ground)
  findsWithout(ground)
  keepsUp(ground)
  bringsBack(ground)
  keepsSecrets(ground)
  filters(ground)
  questionFilters(ground)
  orders(ground)
  suggests(ground)
  bearsAnything(ground)
})
